import { createHash } from 'node:crypto';

const HASH_DIGITS = 8;

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);

/** Changes the hash when the first one collides with another name. */
const withSalt = (text: string, round: number) => (round === 0 ? text : `${text} ${round}`);

/**
 * If several texts have the same plain name, each gets a hash as a suffix: a lookup of the plain name must not find a
 * wrong text. All texts must be added, each once, before the first `get`, so that their order does not matter.
 */
export class UniqueNames {
  readonly #prefix: string;
  readonly #collisions = new Map<string, string[]>();
  readonly #hashedNames = new Map<string, string>();

  /** The prefix must start with a letter or `_`. */
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
      this.#hashedNames.get(text) ?? this.#hashAll(sanitized, collisions).get(text) ?? `${sanitized}_${shortHash(text)}`
    );
  }

  #sanitize(text: string): string {
    return this.#prefix + text.replace(/[^A-Za-z0-9_]/g, '_');
  }

  /** Hashed names of different plain names cannot collide, because a hash contains no `_`. */
  #hashAll(sanitized: string, texts: readonly string[]): ReadonlyMap<string, string> {
    for (let round = 0; ; round += 1) {
      const names = texts.map(text => `${sanitized}_${shortHash(withSalt(text, round))}`);
      if (new Set(names).size < names.length || names.some(name => this.#collisions.has(name))) continue;
      for (const [index, text] of texts.entries()) this.#hashedNames.set(text, names[index] ?? sanitized);
      return this.#hashedNames;
    }
  }
}
