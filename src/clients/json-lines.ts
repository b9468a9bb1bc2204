import { ServerFailure } from './server-failure.ts';

/** No object that is told in a line is longer. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** The lines of a stream as they come, without those that are empty. A line that comes in many pieces is put together once. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      const whole = pieces.length === 0 ? line : pieces.join('') + line;
      [pieces, length] = [[], 0];
      if (whole.trim() !== '') yield whole;
    }
    if (rest !== '') pieces.push(rest);
    length += rest.length;
    if (length > LONGEST_LINE)
      throw new ServerFailure('unreadable', 'a line of the response exceeds the size limit');
  }
  const last = pieces.join('');
  if (last.trim() !== '') yield last;
}
