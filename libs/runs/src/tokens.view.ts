import { IsWhole } from '#lib/operations';

/** Each token in one bucket; `reasoning` is a part of `output`. */
export class Tokens {
  @IsWhole() inputUncached!: number;
  @IsWhole() cacheRead!: number;
  @IsWhole() cacheWrite!: number;
  @IsWhole() output!: number;
  @IsWhole() reasoning!: number;
}
