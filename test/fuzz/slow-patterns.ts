// Looks for texts that make a regular expression slow. For each piece of what it fits, that piece is repeated, and something that does not
// fit is put behind: where the time grows with the square of the length, or faster, that takes a hundred times as long as it should.

import vm from 'node:vm';
import fc from 'fast-check';

const LENGTH = 10_000;
/** What takes a time that grows with the length has some tenths of a millisecond, what grows with its square some hundreds. */
const SLOW_MS = 100;
const GIVEN_UP_MS = 20_000;
const SAMPLES = 5;
const LONGEST_SAMPLE = 40;
const ENDINGS = ['\u0001', '\n', ''];

/** A character that each part of a pattern fits, in their order. Groups and repetitions are passed over. */
function piecesOf(source: string): readonly string[] {
  const parts = source.match(
    /\\[pP]\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?[:=!]|\{\d+(?:,\d*)?\}|./gs,
  );
  const candidates = ['a', 'x', 'A', '1', ' ', '-', '/', '.', '=', '\n', '\u0007', 'é'];
  return (parts ?? []).flatMap(part => {
    if (/^(\(\?[:=!]|\{\d.*|[()|^$+*?]|\\[bB])$/.test(part)) return [];
    const fits = new RegExp(`^${part}$`, /\\p/i.test(part) ? 'su' : 's');
    return [...candidates, ...part].filter(each => fits.test(each)).slice(0, 1);
  });
}

/** Texts that fit; none where the pattern holds what cannot be turned around. */
function samplesOf(pattern: RegExp): readonly (readonly string[])[] {
  try {
    const plain = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
    return fc.sample(fc.stringMatching(plain), { numRuns: SAMPLES, seed: 7 }).map(text => [...text]);
  } catch {
    return [];
  }
}

interface Attack {
  readonly before: string;
  readonly repeated: string;
}

function attacksOn(pattern: RegExp): readonly Attack[] {
  const attacks = new Map<string, Attack>();
  for (const pieces of [piecesOf(pattern.source), ...samplesOf(pattern)]) {
    const length = Math.min(pieces.length, LONGEST_SAMPLE);
    for (let from = 0; from < length; from += 1) {
      for (let to = from + 1; to <= length; to += 1) {
        const attack = { before: pieces.slice(0, from).join(''), repeated: pieces.slice(from, to).join('') };
        // Of the longer ones, those from the beginning are the start of a new try.
        if (from === 0 || to - from <= 3) attacks.set(JSON.stringify(attack), attack);
      }
    }
  }
  return [...attacks.values()];
}

const textOf = ({ before, repeated }: Attack, ending: string) =>
  before + repeated.repeat(Math.ceil(LENGTH / repeated.length)) + ending;

/** In a context of its own, since nothing else ends a pattern that never comes to its end. */
const SCRIPT = new vm.Script(`
  texts.find(text => [1, 2, 3].every(() => {
    const startedAt = performance.now();
    text.replace(pattern, '');
    return performance.now() - startedAt > slowMs;
  }))`);

/** The beginning of a text that the pattern is slow with; `undefined`: none was found. */
export function slowText(pattern: RegExp): string | undefined {
  const texts = attacksOn(pattern).flatMap(attack => ENDINGS.map(ending => textOf(attack, ending)));
  const context = vm.createContext({ performance, pattern, texts, slowMs: SLOW_MS });
  try {
    const found: unknown = SCRIPT.runInContext(context, { timeout: GIVEN_UP_MS });
    return typeof found === 'string' ? found.slice(0, 60) : undefined;
  } catch {
    return 'it never came to an end';
  }
}
