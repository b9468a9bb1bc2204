import type { Document } from 'yaml';
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';

const formatPosition = (lines: LineCounter, offset: number) => {
  const { line, col } = lines.linePos(offset);
  return `line ${line}, column ${col}`;
};

/** The parser compares each key with every other; that takes a minute for many hosts. */
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

/** What a text in YAML holds, or a problem that says where it is and quotes nothing. */
export function parseYamlText(text: string): { content: unknown } | { problem: string } {
  const lines = new LineCounter();
  const document = parseDocument(text, { uniqueKeys: false, lineCounter: lines });
  const [error] = document.errors;
  if (error) {
    const what = error.code.toLowerCase().replaceAll('_', ' ');
    return { problem: `is not valid YAML at ${formatPosition(lines, error.pos[0])} (${what})` };
  }
  const repeated = findRepeatedKey(document);
  if (repeated !== undefined) return { problem: `repeats a key at ${formatPosition(lines, repeated)}` };
  try {
    return { content: document.toJS() };
  } catch {
    return { problem: 'contains an undefined YAML alias, or too many aliases' };
  }
}
