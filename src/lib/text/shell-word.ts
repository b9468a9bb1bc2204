/** A word for `sh`, which reads it as it is. Other shells may read it otherwise. */
export function shellWord(word: string): string {
  if (word.includes('\0')) throw new Error('a command argument cannot contain a NUL byte');
  return `'${word.replaceAll("'", "'\\''")}'`;
}
