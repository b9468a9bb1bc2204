const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:Z| UTC)?/g;
const DURATION = /\b\d+(?:ms|[smhd])(?: \d+[smh])*\b/g;

/** Nobody waits equally long twice; and columns are as wide as what is in them. */
const withoutChance = (line: string) =>
  line.replaceAll(TIME, '<time>').replaceAll(DURATION, '<duration>').replaceAll(/\s+/g, ' ').trim();

/** Whether the line is the parts, one after the other, with anything between them. */
function isMadeOf(line: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return line === first;
  if (!line.startsWith(first)) return false;
  let rest = line.slice(first.length);
  for (const part of others) {
    const found = rest.indexOf(part);
    if (found === -1) return false;
    rest = rest.slice(found + part.length);
  }
  return rest.endsWith(last);
}

/**
 * The first line that a document shows and the output has not. What is shown has to be there in this order, between other lines; `…`
 * stands for anything, and on a line of its own for any lines.
 */
export function missingLine(shown: readonly string[], output: string): string | undefined {
  let left = output.split('\n').map(withoutChance);
  for (const line of shown.filter(each => each.trim() !== '…')) {
    const parts = withoutChance(line).split('…');
    const found = left.findIndex(each => isMadeOf(each, parts));
    if (found === -1) return line;
    left = left.slice(found + 1);
  }
  return undefined;
}
