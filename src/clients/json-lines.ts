import { ServerFailure } from './server-failure.ts';

/** No object that is told in a line is longer. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** The lines of a stream as they come, without those that are empty. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new ServerFailure('unreadable', 'a line of the answer has no end');
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  if (rest.trim() !== '') yield rest;
}
