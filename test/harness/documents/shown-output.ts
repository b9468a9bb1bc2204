/** What is another each time, by what stands for it. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| UTC)?/g, '<time>'],
  [/\b\d+(?:ms|[smhd])(?: \d+[smh])*\b/g, '<duration>'],
  [/"id":"[\w-]{16}"/g, '"id":"<id>"'],
  [/(?<=\/operation\/)[\w-]{16}/g, '<id>'],
  [/"(cpus|memory|space|id)":\d+/g, '"$1":<number>'],
  [/\b[0-9a-f]{64}\b/g, '<hash>'],
  [/SHA256:[\w+/]{43}/g, '<fingerprint>'],
  [/\d+(\.\d+)? [KM]iB/g, '<size>'],
  // Columns are as wide as what is in them.
  [/\s+/g, ' '],
];

const steady = (text: string) =>
  VARYING.reduce((steadied, [what, by]) => steadied.replace(what, by), text).trim();

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const isLine = (shown: string, line: string) =>
  new RegExp(`^${steady(shown).split('…').map(escaped).join('.*')}$`).test(steady(line));

/**
 * The first line that a document shows and that was not said. What is shown has to be there in this order, with others between; `…` stands
 * for anything, and on a line of its own for any lines.
 */
export function missingLine(shown: string, output: string): string | undefined {
  const said = output.split('\n');
  let next = 0;
  return shown
    .split('\n')
    .filter(line => !['', '…'].includes(line.trim()))
    .find(line => {
      const found = said.findIndex((each, index) => index >= next && isLine(line, each));
      next = found + 1;
      return found === -1;
    });
}
