// Finds texts that make a regular expression slow. It repeats each part of a matching text and appends a
// character that does not match. If the time grows with the square of the length or faster, this takes a
// hundred times longer than linear time.

import vm from 'node:vm';
import fc from 'fast-check';

const LENGTH = 20_000;
/** CPU time. Linear patterns take some tenths of a millisecond, quadratic ones some hundreds of milliseconds. */
const SLOW_US = 100_000;
const TIMEOUT_MS = 20_000;
const SAMPLES = 5;
const MAX_SAMPLE_LENGTH = 40;
const ENDINGS = ['\u0001', '\n', ''];

/** One matching character for each part of a pattern, in order. Groups and repetitions are ignored. */
function piecesOf(source: string): readonly string[] {
  const parts = source.match(
    /\\[pP]\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?[:=!]|\{\d+(?:,\d*)?\}|./gs,
  );
  const candidates = ['a', 'x', 'A', '1', ' ', '-', '/', '.', '=', '\n', '\u0007', 'é'];
  return (parts ?? []).flatMap(part => {
    if (/^(\(\?[:=!]|\{\d.*|[()|^$+*?]|\\[bB])$/.test(part)) return [];
    const fits = new RegExp(`^${part}$`, /\\p/i.test(part) ? 'su' : 's');
    return [...candidates, ...part].filter(candidate => fits.test(candidate)).slice(0, 1);
  });
}

/** Matching texts; empty if the pattern cannot be inverted. */
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
    const length = Math.min(pieces.length, MAX_SAMPLE_LENGTH);
    for (let from = 0; from < length; from += 1) {
      for (let to = from + 1; to <= length; to += 1) {
        const attack = { before: pieces.slice(0, from).join(''), repeated: pieces.slice(from, to).join('') };
        // Longer repetitions are only tried from the start, where a new match attempt begins.
        if (from === 0 || to - from <= 3) attacks.set(JSON.stringify(attack), attack);
      }
    }
  }
  return [...attacks.values()];
}

const textOf = ({ before, repeated }: Attack, ending: string) =>
  before + repeated.repeat(Math.ceil(LENGTH / repeated.length)) + ending;

/** Runs in its own context, because only the timeout of a context can stop a running pattern. */
const SCRIPT = new vm.Script(`
  texts.find(text => [1, 2, 3].every(() => {
    const before = cpuUsage();
    text.replace(pattern, '');
    return cpuUsage(before).user > slowUs;
  }))`);

/** Returns the start of a text that makes the pattern slow, or `undefined`. */
export function slowText(pattern: RegExp): string | undefined {
  const texts = attacksOn(pattern).flatMap(attack => ENDINGS.map(ending => textOf(attack, ending)));
  const context = vm.createContext({ cpuUsage: process.cpuUsage, pattern, texts, slowUs: SLOW_US });
  try {
    const found: unknown = SCRIPT.runInContext(context, { timeout: TIMEOUT_MS });
    return typeof found === 'string' ? found.slice(0, 60) : undefined;
  } catch {
    return 'timed out';
  }
}
