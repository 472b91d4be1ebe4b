import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { isDeeperThan, isJsonObject, type JsonObject } from '#lib/kernel';
import { malformedRequest } from '../problems/problem-error.js';
import { readDto } from './read-dto.js';

/** Deeper than what a machine may be, and far from what would exhaust the stack of whoever walks the body later. */
const MAX_DEPTH = 110;

/** Reads bodies and query parameters into their DTO classes. Values in bodies are taken as they are, never converted. */
@Injectable()
export class RequestValidation implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'body') return readBody(value, dtoClass(metatype));
    const dto = type === 'query' ? dtoClass(metatype) : undefined;
    return dto ? readDto(dto, value as object, (made, members) => plainToInstance(made, members)) : value;
  }
}

function dtoClass(metatype: ArgumentMetadata['metatype']): Type<object> | undefined {
  return metatype === Object ? undefined : (metatype as Type<object> | undefined);
}

/** Nothing at all counts as `{}` where a DTO says what is missing. */
function readBody(value: unknown, type: Type<object> | undefined): unknown {
  const body = jsonObject(value === undefined && type ? {} : value);
  return type ? readDto(type, body, (made, members) => Object.assign(new made(), members)) : body;
}

function jsonObject(value: unknown): JsonObject {
  if (!isJsonObject(value))
    throw malformedRequest([{ path: '', message: 'must be a JSON object' }], 'the body');
  if (isDeeperThan(value, MAX_DEPTH)) {
    const message = `must not be nested more than ${MAX_DEPTH} levels deep`;
    throw malformedRequest([{ path: '', message }], 'the body');
  }
  return value;
}
