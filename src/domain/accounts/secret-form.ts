/** How many random bytes a secret is made of that somebody is given instead of choosing it. */
export const SECRET_BYTES = 32;

const BITS_OF_CHARACTER = 6;
const CHARACTERS = Math.ceil((SECRET_BYTES * 8) / BITS_OF_CHARACTER);

/** The form of one kind of secret, which begins with a word that tells it from others. */
export function secretForm(beginning: string) {
  const pattern = new RegExp(`^${beginning}[A-Za-z0-9_-]{${CHARACTERS}}$`);
  return {
    /** The text of a secret that is made of `SECRET_BYTES` random bytes. */
    textOf: (random: Buffer): string => `${beginning}${random.toString('base64url')}`,
    /** Whether a text can be such a secret at all. */
    isKept: (text: string): boolean => pattern.test(text),
  };
}
