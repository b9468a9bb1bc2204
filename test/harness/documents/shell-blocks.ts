/** What a document gives to type: a block fenced as `sh`. */
export interface ShellBlock {
  /** Of its first line, counted from 1. */
  readonly line: number;
  readonly text: string;
  /** What the document shows as its output: the lines indented by four that follow it, without the indent; empty where there are none. */
  readonly shown: string;
}

const INDENT = '    ';

function shownAfter(lines: readonly string[], fence: number): string {
  const rest = lines.slice(fence + 1);
  const begin = rest.findIndex(line => line !== '');
  if (begin === -1 || !rest[begin]?.startsWith(INDENT)) return '';
  const end = rest.findIndex((line, index) => index > begin && line !== '' && !line.startsWith(INDENT));
  return rest
    .slice(begin, end === -1 ? undefined : end)
    .map(line => line.slice(INDENT.length))
    .join('\n')
    .trimEnd();
}

export function shellBlocks(markdown: string): readonly ShellBlock[] {
  const lines = markdown.split('\n');
  const blocks: ShellBlock[] = [];
  for (let begin = 0; begin < lines.length; begin += 1) {
    if (!lines[begin]?.startsWith('```')) continue;
    const end = lines.indexOf('```', begin + 1);
    if (end === -1) throw new Error(`the fence in line ${begin + 1} is not closed`);
    if (lines[begin] === '```sh')
      blocks.push({
        line: begin + 2,
        text: lines.slice(begin + 1, end).join('\n'),
        shown: shownAfter(lines, end),
      });
    begin = end;
  }
  return blocks;
}
