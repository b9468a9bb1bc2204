// What reads bytes of others is listed here, by whom they come from, and tried with whatever comes near to what is right. What must hold of
// each: nothing is thrown but what it says; what it takes makes sense; nothing that is not seen gets to people; and it takes no longer
// than what it is given.

import fc from 'fast-check';

export interface Parser {
  /** What is read, such as `a session among cookies`. */
  readonly what: string;
  /** Where it is read, from the root. */
  readonly file: string;
  /** Tries it with one input: throws where something does not hold. */
  readonly property: fc.IRawProperty<unknown>;
  /** In how many of a hundred usual runs it is tried; those that write files take long. Default: 100. */
  readonly share?: number;
}

/** A row of the table. */
export function parser<Input>(
  what: string,
  file: string,
  input: fc.Arbitrary<Input>,
  holds: (input: Input) => void | Promise<void>,
  share = 100,
): Parser {
  return { what, file, share, property: fc.asyncProperty(input, async given => holds(given)) };
}

const ODD = [
  ...[
    '',
    '\0',
    '\n',
    '\r\n',
    '\t',
    ' ',
    '\u001b[2J',
    '\u0007',
    '\u009b1A',
    '\u007f',
    '\u2028',
    '\u202e',
    '\u200b',
  ],
  ...[
    '\ufeff',
    '\ud800',
    '\u{E0041}',
    '馬',
    '🐎',
    '"',
    "'",
    '`',
    '\\',
    '/',
    '..',
    '%',
    '%00',
    '%2f',
    '{',
    '}',
    '[',
    ']',
  ],
  ...[
    ':',
    ';',
    ',',
    '=',
    '@',
    '#',
    '$(id)',
    '$x',
    '-',
    '--',
    '0',
    '-1',
    '1e999',
    '9'.repeat(30),
    'a'.repeat(300),
  ],
  ...['__proto__', 'constructor', 'null', 'true', '&a [*a]', '!!js/function', '<b>', '{{ 1 }}'],
];
const oddPiece = fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: 'binary', maxLength: 8 }));

const edit = fc.record({ at: fc.nat(400), removed: fc.nat(12), inserted: oddPiece });

/** One of these texts, with pieces taken out and others put in. */
export const near = (...texts: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...texts), fc.array(edit, { maxLength: 4 })).map(([text, edits]) =>
    edits.reduce((now, { at, removed, inserted }) => {
      const place = now.length === 0 ? 0 : at % (now.length + 1);
      return now.slice(0, place) + inserted + now.slice(place + removed);
    }, text),
  );

/** The same of bytes. */
export const nearBytes = (...samples: readonly Uint8Array[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 6 }), fc.nat(6)), { maxLength: 4 }),
    )
    .map(([sample, edits]) =>
      edits.reduce((now, [at, inserted, removed]) => {
        const place = at % (now.length + 1);
        return Buffer.concat([now.subarray(0, place), inserted, now.subarray(place + removed)]);
      }, Buffer.from(sample)),
    );

/** A value like this one, in which some places hold something else. Keys that reach for the prototype are there as JSON has them. */
export const nearValue = (sample: unknown): fc.Arbitrary<unknown> => {
  const other = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      1e300,
      '',
      [],
      {},
      [[]],
      JSON.parse('{"__proto__":{"polluted":1}}'),
    ),
    oddPiece,
  );
  const inner = (value: unknown): fc.Arbitrary<unknown> => {
    const kept =
      Array.isArray(value) && value.length > 0
        ? fc.tuple(...value.map(inner))
        : typeof value === 'object' && value !== null && !Array.isArray(value)
          ? fc.record(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inner(each)])), {
              requiredKeys: [],
            })
          : fc.constant(value);
    return fc.oneof({ weight: 12, arbitrary: kept }, { weight: 1, arbitrary: other });
  };
  return inner(sample);
};

const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{DI}]/u;

/** Throws unless people can see all of it, in one line. */
export function requireSeen(text: string | undefined): void {
  if (text !== undefined && (typeof text !== 'string' || UNSEEN.test(text)))
    throw new Error(`what is not seen gets out: ${JSON.stringify(text)}`);
}

/** Throws unless it holds. */
export function require(holds: boolean, what: string): void {
  if (!holds) throw new Error(`it does not hold: ${what}`);
}

/** What a parser throws is one of these kinds of errors, and what it says can be shown. */
export async function orSays<Result>(
  work: () => Result | Promise<Result>,
  ...kinds: readonly (new (
    ...args: never[]
  ) => Error)[]
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    const isDeclared = kinds.some(kind => error instanceof kind);
    if (!isDeclared || error instanceof TypeError || !(error instanceof Error)) throw error;
    requireSeen(error.message);
    return undefined;
  }
}
