import { createHash } from 'node:crypto';

const HASH_DIGITS = 8;

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);

/** What is hashed when a name with the hash of the text itself is taken. */
const withSalt = (text: string, round: number) => (round === 0 ? text : `${text} ${round}`);

/**
 * Names of letters, digits and `_` for texts that may hold other signs, each of which becomes `_`. Where this makes several texts alike,
 * each of them ends in a hash of itself, and none has the plain name: who asks for that finds nothing, rather than something else. What
 * must hold: a name depends on which texts there are, and not on their order; all texts are added, each once, before a name is asked for.
 */
export class UniqueNames {
  readonly #prefix: string;
  /** The texts of each plain name. */
  readonly #collisions = new Map<string, string[]>();
  readonly #hashedNames = new Map<string, string>();

  /** The prefix begins with a letter or `_`. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  add(text: string): void {
    const sanitized = this.#sanitize(text);
    const collisions = this.#collisions.get(sanitized);
    if (collisions) collisions.push(text);
    else this.#collisions.set(sanitized, [text]);
  }

  get(text: string): string {
    const sanitized = this.#sanitize(text);
    const collisions = this.#collisions.get(sanitized) ?? [];
    if (collisions.every(other => other === text)) return sanitized;
    return (
      this.#hashedNames.get(text) ??
      this.#hashAll(sanitized, collisions).get(text) ??
      `${sanitized}_${shortHash(text)}`
    );
  }

  #sanitize(text: string): string {
    return this.#prefix + text.replace(/[^A-Za-z0-9_]/g, '_');
  }

  /** No two names with hashes are the same unless their plain names are: a hash has no `_`. */
  #hashAll(sanitized: string, texts: readonly string[]): ReadonlyMap<string, string> {
    for (let round = 0; ; round += 1) {
      const names = texts.map(text => `${sanitized}_${shortHash(withSalt(text, round))}`);
      if (new Set(names).size < names.length || names.some(name => this.#collisions.has(name))) continue;
      for (const [index, text] of texts.entries()) this.#hashedNames.set(text, names[index] ?? sanitized);
      return this.#hashedNames;
    }
  }
}
