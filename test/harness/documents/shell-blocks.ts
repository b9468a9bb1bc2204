/** What a document gives to type: a block fenced as `sh`. */
export interface ShellBlock {
  /** Of its first line, counted from 1. */
  readonly line: number;
  readonly text: string;
  /**
   * What the document shows as its output: the lines indented by four that follow it, at once or after a paragraph that ends with a colon,
   * without the indent; empty where there are none.
   */
  readonly shown: string;
}

/** Lines indented by four, without the indent. */
export interface IndentedBlock {
  /** Of its first line, counted from 1. */
  readonly line: number;
  readonly text: string;
}

const INDENT = '    ';

function indentedAt(lines: readonly string[], begin: number): IndentedBlock | undefined {
  if (!lines[begin]?.startsWith(INDENT)) return undefined;
  const end = lines.findIndex((line, index) => index > begin && line !== '' && !line.startsWith(INDENT));
  const text = lines
    .slice(begin, end === -1 ? undefined : end)
    .map(line => line.slice(INDENT.length))
    .join('\n')
    .trimEnd();
  return { line: begin + 1, text };
}

function shownAfter(lines: readonly string[], fence: number): IndentedBlock | undefined {
  const begin = lines.findIndex((line, index) => index > fence && line !== '');
  if (begin === -1) return undefined;
  const atOnce = indentedAt(lines, begin);
  const end = lines.indexOf('', begin);
  if (atOnce !== undefined || end === -1 || !lines[end - 1]?.endsWith(':')) return atOnce;
  return indentedAt(lines, end + 1);
}

const FENCE = /^( {0,3})```/;

/** The line of the closing fence. A fence in a list is indented like the text of the list. */
function fenceEnd(lines: readonly string[], begin: number): number {
  const indent = FENCE.exec(lines[begin] ?? '')?.[1] ?? '';
  const end = lines.indexOf(`${indent}\`\`\``, begin + 1);
  if (end === -1) throw new Error(`the fence in line ${begin + 1} is not closed`);
  return end;
}

/** The blocks of one language, without the indent of a list, with the line of the closing fence. */
export function fencedBlocks(
  markdown: string,
  language: string,
): readonly (Omit<ShellBlock, 'shown'> & { readonly end: number })[] {
  const lines = markdown.split('\n');
  const blocks = [];
  for (let begin = 0; begin < lines.length; begin += 1) {
    const [, indent] = FENCE.exec(lines[begin] ?? '') ?? [];
    if (indent === undefined) continue;
    const end = fenceEnd(lines, begin);
    const text = lines.slice(begin + 1, end).map(line => line.slice(indent.length));
    if (lines[begin] === `${indent}\`\`\`${language}`)
      blocks.push({ line: begin + 2, text: text.join('\n'), end });
    begin = end;
  }
  return blocks;
}

export function shellBlocks(markdown: string): readonly ShellBlock[] {
  const lines = markdown.split('\n');
  return fencedBlocks(markdown, 'sh').map(({ line, text, end }) => ({
    line,
    text,
    shown: shownAfter(lines, end)?.text ?? '',
  }));
}

/** What a document shows that is the output of none of its blocks. */
export function examplesOf(markdown: string): readonly IndentedBlock[] {
  const lines = markdown.split('\n');
  const claimed = new Set<number>();
  const found: IndentedBlock[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (FENCE.test(line)) {
      const end = fenceEnd(lines, at);
      const shown = line.trimStart() === '```sh' ? shownAfter(lines, end) : undefined;
      if (shown !== undefined) claimed.add(shown.line);
      at = end;
      continue;
    }
    // A line of a list that goes on is indented too, but follows a line of text.
    const block = lines[at - 1] === '' ? indentedAt(lines, at) : undefined;
    if (block === undefined) continue;
    if (!claimed.has(block.line)) found.push(block);
    at += block.text.split('\n').length - 1;
  }
  return found;
}
