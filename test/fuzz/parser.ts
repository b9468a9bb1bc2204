// Parsers of untrusted bytes are tested with mutations of valid input. Each parser throws only declared
// errors, returns sane values, passes no invisible characters on to users, and needs no more time than the
// input justifies.

import fc from 'fast-check';

export interface Parser {
  /** The input, such as `a session among cookies`. */
  readonly name: string;
  /** Path of the parser from the root. */
  readonly file: string;
  /** Tests one input and throws if a property does not hold. */
  readonly property: fc.IRawProperty<unknown>;
  /** Percentage of the usual runs; parsers of files are slow. Default: 100. */
  readonly share?: number;
}

export function parser<Input>(
  name: string,
  file: string,
  input: fc.Arbitrary<Input>,
  check: (input: Input) => void | Promise<void>,
  share = 100,
): Parser {
  return { name, file, share, property: fc.asyncProperty(input, async value => check(value)) };
}

const UNUSUAL = [
  ...['', '\0', '\n', '\r\n', '\t', ' ', '\u001b[2J', '\u0007', '\u009b1A', '\u007f', '\u2028', '\u202e', '\u200b'],
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
  ...[':', ';', ',', '=', '@', '#', '$(id)', '$x', '-', '--', '0', '-1', '1e999', '9'.repeat(30), 'a'.repeat(300)],
  ...['__proto__', 'constructor', 'null', 'true', '&a [*a]', '!!js/function', '<b>', '{{ 1 }}'],
];
const unusualPiece = fc.oneof(fc.constantFrom(...UNUSUAL), fc.string({ unit: 'binary', maxLength: 8 }));

const edit = fc.record({ at: fc.nat(400), removed: fc.nat(12), inserted: unusualPiece });

/** One of these texts with some pieces removed or inserted. */
export const mutatedText = (...texts: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...texts), fc.array(edit, { maxLength: 4 })).map(([text, edits]) =>
    edits.reduce((current, { at, removed, inserted }) => {
      const index = current.length === 0 ? 0 : at % (current.length + 1);
      return current.slice(0, index) + inserted + current.slice(index + removed);
    }, text),
  );

export const mutatedBytes = (...samples: readonly Uint8Array[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 6 }), fc.nat(6)), { maxLength: 4 }),
    )
    .map(([sample, edits]) =>
      edits.reduce((current, [at, inserted, removed]) => {
        const index = at % (current.length + 1);
        return Buffer.concat([current.subarray(0, index), inserted, current.subarray(index + removed)]);
      }, Buffer.from(sample)),
    );

/**
 * A value like this one with some parts replaced. Keys that target the prototype are included as JSON has
 * them.
 */
export const mutatedValue = (sample: unknown): fc.Arbitrary<unknown> => {
  const other = fc.oneof(
    fc.constantFrom<unknown>(null, true, 0, -1, 1e300, '', [], {}, [[]], JSON.parse('{"__proto__":{"polluted":1}}')),
    unusualPiece,
  );
  const inner = (value: unknown): fc.Arbitrary<unknown> => {
    const unchanged =
      Array.isArray(value) && value.length > 0
        ? fc.tuple(...value.map(inner))
        : typeof value === 'object' && value !== null && !Array.isArray(value)
          ? fc.record(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inner(member)])), {
              requiredKeys: [],
            })
          : fc.constant(value);
    return fc.oneof({ weight: 12, arbitrary: unchanged }, { weight: 1, arbitrary: other });
  };
  return inner(sample);
};

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{DI}]/u;

/** Throws if the text contains invisible characters or line breaks. */
export function requireVisible(text: string | undefined): void {
  if (text !== undefined && (typeof text !== 'string' || INVISIBLE.test(text)))
    throw new Error(`invisible characters in output: ${JSON.stringify(text)}`);
}

export function assertThat(holds: boolean, property: string): void {
  if (!holds) throw new Error(`violated: ${property}`);
}

/** Runs a parser that may throw one of these errors, whose message must be printable. */
export async function allowErrors<Result>(
  parse: () => Result | Promise<Result>,
  ...kinds: readonly (new (
    ...args: never[]
  ) => Error)[]
): Promise<Result | undefined> {
  try {
    return await parse();
  } catch (error) {
    const isDeclared = kinds.some(kind => error instanceof kind);
    if (!isDeclared || error instanceof TypeError || !(error instanceof Error)) throw error;
    requireVisible(error.message);
    return undefined;
  }
}
