import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { tracesLoop } from '#lib/telemetry';
import { folded } from './open-read-side.js';

/** By version of the rows. An entry is added and never changed: stores are filled by builds of any version. */
const RECORDED: Readonly<Record<string, string>> = {
  12: '6c3633e96f9fba5489009bf4ce0e188efb19a47856ddcf0be8e241f949e55c30',
  13: '042311780e0b8e2774894bc58d75fccc0bb71e9a259d88ce9cea8878410ffbcf',
  14: '9c9b198befb0e31e32b3e10efd8a34305d740c053004cf756b3a331a16951907',
  15: 'a2ccd188a3405b101c503d8d3c5dc83faceb86eedba964395441f66b24f67a1b',
  16: 'f76768964116d8c1a18ed75ae64d60dd4e294573b9b2c6bf24e70989420e0748',
  17: '7d907f2b4ef06fcb6210e29c8ac92c856abe3859e82accf180f2532dff70c00f',
  18: 'ca8d46b021ee3a680f64c37e9e8f7751785ca03b33e2cff51a8a5b0a470794fd',
  19: '54d2ff57f1908b48d4297aad8fd68399527b820a18880b102b424e7618a50f09',
  20: '0237cd418a727e1c761e0a471542f9b07a6440a280cbfcd46b8f1bacf2a2697f',
  21: '3386f6456d6ba4ade762ad376d1a0d521921e885573d282ea112e69a5d2ad08b',
  22: '4b16cf57ecb58a5813a1e79cd858638477477a685bdcfaf753d69afdfc689465',
  23: '1e87870e871f1312a098096ed3a4b3280896652d5de79d59c30e1b269c4e3e51',
  24: '66be2420e90116225717329e750cf1a4df41f2ba90b7b20e4301d0125d1c6edb',
  25: 'b1237d21fdde3b95685f8983f9f19bf89b5c3fcabf94581af8aea0a0fcb19a75',
  26: '42843793abaf18bb32fdd27722c49ce8ea74bb86bf22c91798c0603aa91de28b',
  27: '9b30a6667bd20cfca8a495761c36da93c2fb84273254d96aadd9648a9c30a940',
  28: 'e0d1668bffe6f5c4b7bca216b580e10998afc2aa2b21b0374b9bf94da7a07f2a',
  29: 'e51018954f6df072c1bcf154be507ddc8eecf11d728d5e9b10ad0be0a5f2a76c',
  30: 'b0695207ed5aa0e461eca7171d89a10f45a4faf10fd5528c197e22d4f450890a',
  31: 'b808902ad849afeeb9d450497f48f216e21a3d08fab7316802522a2fc554544e',
  32: 'be1c12ed0608144a9fdd7306c6fc4442580156064cb1450f3b00bda43a249a1b',
  33: 'c240cbef270210ec4b2d3f9281106ddfc7cc9bdfa758591d9ae3623ab902af76',
  34: '77e84fb72180f130b3d77ecf8d6e6ea09d515575c86561dbe8f2a5ddd8b87642',
  35: 'b669393316bfbb1249b18f942729d869a39a00d0e6fb60892f7f697c02f08f6e',
  36: 'b5f271ba554a5360c209083ba7613096716348375e6b6e6e3ce5aea483d524a9',
  37: '00eb66b3c81cbe8d79f70d0796a818a90f81b7c1c7264802150c472354afadd7',
  38: 'bfacdd0586a6164f8c39835d47068c3e3331c606bf45c4c4468949978707b429',
  39: '7fa8d655173c6dfca3b0c25b8bd35ed9659a84209eb1738f56b09b34fd8be8c0',
  40: '618caf2a377833467ea97b72b603d95fa3521bd8f07dd2275ff1f8a0b3871106',
  41: '3197e4a3118bf0a74f326817db3835806ee408b5a298c1d8e2e4ed2126fedf23',
  42: '7f787c4c8b4b1dc9d63de36c129e96fd19dc398bb835efb56a5cf3f10d29a443',
  43: 'c06e4b9d791c896d814f4b3f5662d3223512a9dbd32e1e5de9ac8995b52c4a02',
  44: 'f85a31099e31e093b624f14e536ff9324559154833fcf5cdf6230b5161098f77',
  45: '64dcd54cb668939b4ed82a7d3937451a4b46908844196b7ee5d93ebb6fa7f504',
  46: 'dc475dbcb3d10db49e6d831ee3a7b1b50a356a8ebb7ca0b7f72d5ea9a182dcf9',
};

describe('the tables that one loop fills', () => {
  it('are those of their version: a changed or an added one raises it', () => {
    const tables = folded.models.flatMap(({ kinds }) => kinds.map(({ table }) => table));
    const versions = new Set(tables.map(({ name }) => /_v(\d+)$/.exec(name)?.[1] ?? name));
    expect(versions.size).toBe(1);
    const [version = ''] = versions;
    const declared = tables.map(({ name, columns, primaryKey, indexes }) => ({
      name,
      columns: Object.entries(columns),
      primaryKey,
      indexes,
    }));
    const text = JSON.stringify(declared.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
    expect(createHash('sha256').update(text).digest('hex')).toBe(RECORDED[version]);
  });
});

it('the loop of traces has a version of its own: a raise of the version of the rows exports no span again', () => {
  const names = tracesLoop.models.flatMap(({ kinds }) => kinds.map(({ table }) => table.name));
  expect({ version: tracesLoop.version, names }).toEqual({ version: 2, names: ['trace_runs_v2'] });
});
