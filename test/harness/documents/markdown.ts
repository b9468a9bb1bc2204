export const code = (text: string): string => `\`${text}\``;

/** Escapes pipes and line breaks. */
export const row = (cells: readonly string[]): string =>
  `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;

export const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(headings), row(headings.map(() => '---')), ...rows.map(row)].join('\n');

/** A block fenced as `sh`. */
export interface ShellBlock {
  /** First line, counted from 1. */
  readonly line: number;
  readonly text: string;
  /**
   * Expected output: lines indented by four that follow the block directly, or after a paragraph that ends
   * with a colon. Empty if there are none.
   */
  readonly expected: string;
}

/** Lines indented by four, without the indent. */
export interface IndentedBlock {
  /** First line, counted from 1. */
  readonly line: number;
  readonly text: string;
}

const INDENT = '    ';

function indentedAt(lines: readonly string[], start: number): IndentedBlock | undefined {
  if (!lines[start]?.startsWith(INDENT)) return undefined;
  const end = lines.findIndex((line, index) => index > start && line !== '' && !line.startsWith(INDENT));
  const text = lines
    .slice(start, end === -1 ? undefined : end)
    .map(line => line.slice(INDENT.length))
    .join('\n')
    .trimEnd();
  return { line: start + 1, text };
}

function findExpectedOutput(lines: readonly string[], fence: number): IndentedBlock | undefined {
  const start = lines.findIndex((line, index) => index > fence && line !== '');
  if (start === -1) return undefined;
  const adjacent = indentedAt(lines, start);
  const end = lines.indexOf('', start);
  if (adjacent !== undefined || end === -1 || !lines[end - 1]?.endsWith(':')) return adjacent;
  return indentedAt(lines, end + 1);
}

const FENCE = /^( {0,3})```/;

/** A fence in a list has the indent of the list. */
function findFenceEnd(lines: readonly string[], start: number): number {
  const indent = FENCE.exec(lines[start] ?? '')?.[1] ?? '';
  const end = lines.indexOf(`${indent}\`\`\``, start + 1);
  if (end === -1) throw new Error(`the fence in line ${start + 1} is not closed`);
  return end;
}

/** Blocks of one language without the list indent; `end` is the line of the closing fence. */
export function fencedBlocks(
  markdown: string,
  language: string,
): readonly (Omit<ShellBlock, 'expected'> & { readonly end: number })[] {
  const lines = markdown.split('\n');
  const blocks = [];
  for (let start = 0; start < lines.length; start += 1) {
    const [, indent] = FENCE.exec(lines[start] ?? '') ?? [];
    if (indent === undefined) continue;
    const end = findFenceEnd(lines, start);
    const text = lines.slice(start + 1, end).map(line => line.slice(indent.length));
    if (lines[start] === `${indent}\`\`\`${language}`) blocks.push({ line: start + 2, text: text.join('\n'), end });
    start = end;
  }
  return blocks;
}

export function shellBlocks(markdown: string): readonly ShellBlock[] {
  const lines = markdown.split('\n');
  return fencedBlocks(markdown, 'sh').map(({ line, text, end }) => ({
    line,
    text,
    expected: findExpectedOutput(lines, end)?.text ?? '',
  }));
}

/** Indented blocks that are not the output of a shell block. */
export function findExamples(markdown: string): readonly IndentedBlock[] {
  const lines = markdown.split('\n');
  const claimed = new Set<number>();
  const found: IndentedBlock[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (FENCE.test(line)) {
      const end = findFenceEnd(lines, index);
      const expected = line.trimStart() === '```sh' ? findExpectedOutput(lines, end) : undefined;
      if (expected !== undefined) claimed.add(expected.line);
      index = end;
      continue;
    }
    // An indented continuation of a list item follows a line of text.
    const block = lines[index - 1] === '' ? indentedAt(lines, index) : undefined;
    if (block === undefined) continue;
    if (!claimed.has(block.line)) found.push(block);
    index += block.text.split('\n').length - 1;
  }
  return found;
}
