/** What runs where the service does, and needs its code; everything else only asks a service. */
export const ON_SERVER = ['serve', 'demo', 'backup', 'restore', 'doctor', 'secrets', 'admin', 'audit verify'];

/**
 * Whether these words begin with one of them, also behind `help`.
 *
 * @param {readonly string[]} words
 * @returns {boolean}
 */
export function isOnServer(words) {
  const [noun, verb] = words[0] === 'help' ? words.slice(1) : words;
  return ON_SERVER.includes(noun) || ON_SERVER.includes(`${noun} ${verb}`);
}
