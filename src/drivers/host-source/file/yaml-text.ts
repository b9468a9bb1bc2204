import type { Document } from 'yaml';
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';

const formatPosition = (lines: LineCounter, offset: number) => {
  const { line, col } = lines.linePos(offset);
  return `line ${line}, column ${col}`;
};

/** The unique key check of the parser compares each key with all others, which takes a minute for many hosts. */
function findRepeatedKey({ contents }: Document.Parsed): number | undefined {
  const seen = new Set<unknown>();
  if (!isMap(contents)) return undefined;
  for (const { key } of contents.items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) return key.range?.[0] ?? 0;
    seen.add(key.value);
  }
  return undefined;
}

/** A problem contains the position but does not quote the text. */
export function parseYamlText(text: string): { content: unknown } | { problem: string } {
  const lines = new LineCounter();
  const document = parseDocument(text, { uniqueKeys: false, lineCounter: lines });
  const [error] = document.errors;
  if (error) {
    const reason = error.code.toLowerCase().replaceAll('_', ' ');
    return { problem: `is not valid YAML at ${formatPosition(lines, error.pos[0])} (${reason})` };
  }
  const repeated = findRepeatedKey(document);
  if (repeated !== undefined) return { problem: `repeats a key at ${formatPosition(lines, repeated)}` };
  try {
    return { content: document.toJS() };
  } catch {
    return { problem: 'contains an undefined YAML alias, or too many aliases' };
  }
}
