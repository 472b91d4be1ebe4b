/** The SDK's types name this type of the DOM; Node's own types have it under `RequestInit` alone. */
type HeadersInit = NonNullable<RequestInit['headers']>;
