import { isIP, SocketAddress } from 'node:net';
import { usageProblem } from '../../cli-problem.ts';
import { readFileOrInput, sourceName } from '../../read-file.ts';
import type { Terminal } from '../../terminal.ts';

/** As the service writes it, so that one that is named twice is noticed; `undefined`: it is none. */
export function readAddress(text: string): string | undefined {
  // A zone means something on one machine only.
  const family = text.includes('%') ? 0 : isIP(text);
  if (family !== 6) return family === 4 ? text : undefined;
  return new SocketAddress({ address: text, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');
}

/** Reads an argument. */
export function parseAddress(text: string): string {
  const address = readAddress(text);
  if (address === undefined)
    throw usageProblem(`'${text}' is not an IP address. Find the address with: hostler host list`);
  return address;
}

/** Reads one of several. */
export const parseAddresses = (text: string, before: readonly string[] | undefined): readonly string[] => [
  ...new Set([...(before ?? []), parseAddress(text)]),
];

/** Where an address was named, for who has to mend it. */
interface Named {
  readonly text: string;
  readonly where: string;
}

const LINES_TOLD = 20;

async function linesOf(file: string, terminal: Terminal): Promise<readonly Named[]> {
  const text = await readFileOrInput(file, terminal, 'one address per line');
  return text.split(/\r?\n/).flatMap((line, index) => {
    const address = line.replace(/#.*/, '').trim();
    return address === '' ? [] : [{ text: address, where: `${sourceName(file)}, line ${index + 1}: ` }];
  });
}

/** Those at the command line and those in a file, each once; if anything is no address, all of that is told. */
export async function namedAddresses(
  given: readonly string[],
  from: string | undefined,
  terminal: Terminal,
): Promise<readonly string[]> {
  const named = [
    ...given.map(text => ({ text, where: '' })),
    ...(from === undefined ? [] : await linesOf(from, terminal)),
  ];
  const wrong = named.filter(({ text }) => readAddress(text) === undefined);
  if (wrong.length > 0) {
    const told = wrong.slice(0, LINES_TOLD).map(({ text, where }) => `  ${where}${text}`);
    const more = wrong.length > LINES_TOLD ? [`  and ${wrong.length - LINES_TOLD} more`] : [];
    throw usageProblem(
      ['these are not IPv4 or IPv6 addresses, so no host was enrolled:', ...told, ...more].join('\n'),
    );
  }
  const addresses = new Set(named.map(({ text }) => readAddress(text) ?? text));
  if (addresses.size === 0)
    throw usageProblem('no address given. Add addresses, or a file with one address per line: --from FILE');
  return [...addresses];
}
