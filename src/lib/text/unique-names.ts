import { createHash } from 'node:crypto';

const HASH_DIGITS = 8;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);

/** What is hashed when a name with the hash of the text itself is taken. */
const salted = (text: string, round: number) => (round === 0 ? text : `${text} ${round}`);

/**
 * Names of letters, digits and `_` for texts that may hold other signs, each of which becomes `_`. Where this makes several texts alike,
 * each of them ends in a hash of itself, and none has the plain name: who asks for that finds nothing, rather than something else. What
 * must hold: a name depends on which texts there are, and not on their order; all texts are added, each once, before a name is asked for.
 */
export class UniqueNames {
  readonly #prefix: string;
  /** The texts of each plain name. */
  readonly #alike = new Map<string, string[]>();
  readonly #hashed = new Map<string, string>();

  /** The prefix begins with a letter or `_`. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  add(text: string): void {
    const plain = this.#plain(text);
    const alike = this.#alike.get(plain);
    if (alike) alike.push(text);
    else this.#alike.set(plain, [text]);
  }

  of(text: string): string {
    const plain = this.#plain(text);
    const alike = this.#alike.get(plain) ?? [];
    if (alike.every(other => other === text)) return plain;
    return this.#hashed.get(text) ?? this.#hashAll(plain, alike).get(text) ?? `${plain}_${hashOf(text)}`;
  }

  #plain(text: string): string {
    return this.#prefix + text.replace(/[^A-Za-z0-9_]/g, '_');
  }

  /** No two names with hashes are the same unless their plain names are: a hash has no `_`. */
  #hashAll(plain: string, texts: readonly string[]): ReadonlyMap<string, string> {
    for (let round = 0; ; round += 1) {
      const names = texts.map(text => `${plain}_${hashOf(salted(text, round))}`);
      if (new Set(names).size < names.length || names.some(name => this.#alike.has(name))) continue;
      for (const [index, text] of texts.entries()) this.#hashed.set(text, names[index] ?? plain);
      return this.#hashed;
    }
  }
}
