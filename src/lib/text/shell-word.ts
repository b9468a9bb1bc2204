/** A word for `sh`, which reads it as it is. Other shells may read it otherwise. */
export function shellWord(word: string): string {
  if (word.includes('\0')) throw new Error('no argument of a program can contain a zero byte');
  return `'${word.replaceAll("'", "'\\''")}'`;
}
