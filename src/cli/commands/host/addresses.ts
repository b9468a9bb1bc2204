import { readFileSync } from 'node:fs';
import { isIP, SocketAddress } from 'node:net';
import { errorCode } from '../../../lib/error-code.ts';
import { usageProblem } from '../../exit-codes.ts';
import type { Terminal } from '../../terminal.ts';

/** As the service writes it, so that one that is named twice is noticed; `undefined`: it is none. */
export function readAddress(text: string): string | undefined {
  // A zone means something on one machine only.
  const family = text.includes('%') ? 0 : isIP(text);
  if (family !== 6) return family === 4 ? text : undefined;
  return new SocketAddress({ address: text, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');
}

/** Where an address was named, for who has to mend it. */
interface Named {
  readonly text: string;
  readonly where: string;
}

const LINES_TOLD = 20;

async function linesOf(file: string, terminal: Terminal): Promise<readonly Named[]> {
  const text = file === '-' ? await terminal.readInput() : readList(file);
  const name = file === '-' ? 'the standard input' : file;
  return text.split(/\r?\n/).flatMap((line, index) => {
    const address = line.replace(/#.*/, '').trim();
    return address === '' ? [] : [{ text: address, where: `${name}, line ${index + 1}: ` }];
  });
}

function readList(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageProblem(
      `${file} cannot be read (${errorCode(error)}); name a file with an address in each line`,
    );
  }
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
      ['nothing was sent, since these are no IPv4 or IPv6 addresses:', ...told, ...more].join('\n'),
    );
  }
  const addresses = new Set(named.map(({ text }) => readAddress(text) ?? text));
  if (addresses.size === 0)
    throw usageProblem('there is no address; name one, or a file with one in each line by --from FILE');
  return [...addresses];
}
