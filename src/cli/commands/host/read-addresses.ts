// The addresses of new hosts. A user can name a host by its DNS name; the server stores its address.

import { errorCode } from '../../../lib/errors.ts';
import { selectAddress } from '../../../sdk/select-address.ts';
import { usageError } from '../../errors.ts';
import { mapConcurrent } from '../../for-each-host.ts';
import { readFileOrStdin, toFileLabel } from '../../input/files.ts';
import { isHostname, normalizeAddress } from '../../input/host-arguments.ts';
import type { Terminal } from '../../terminal/terminal.ts';

const MAX_ERRORS_SHOWN = 20;

interface Input {
  readonly text: string;
  /** `hosts.txt, line 2: `, or empty for an argument. */
  readonly location: string;
}

async function readAddressFile(file: string, terminal: Terminal): Promise<readonly Input[]> {
  const text = await readFileOrStdin(file, terminal, 'one address per line');
  return text.split(/\r?\n/).flatMap((line, index) => {
    const address = line.replace(/#.*/, '').trim();
    return address === '' ? [] : [{ text: address, location: `${toFileLabel(file)}, line ${index + 1}: ` }];
  });
}

async function resolve(text: string, terminal: Pick<Terminal, 'lookup'>): Promise<ReturnType<typeof selectAddress>> {
  const address = normalizeAddress(text);
  if (address !== undefined) return { address };
  if (!isHostname(text)) return { problem: 'is neither an IPv4 or IPv6 address nor a hostname' };
  try {
    const found = await terminal.lookup(text);
    return selectAddress(found.flatMap(candidate => normalizeAddress(candidate) ?? []));
  } catch (error) {
    return { problem: `cannot be resolved (${errorCode(error)})` };
  }
}

/**
 * Returns the addresses of the command line and of a file without duplicates. Prints the address of each name.
 * Reports all invalid ones at once.
 */
export async function readAddresses(
  args: readonly string[],
  from: string | undefined,
  terminal: Terminal,
): Promise<readonly string[]> {
  const inputs: readonly Input[] = [
    ...args.map(text => ({ text, location: '' })),
    ...(from === undefined ? [] : await readAddressFile(from, terminal)),
  ];
  if (inputs.length === 0)
    throw usageError('no address given. Add addresses, or a file with one address per line: --from FILE');
  const results = await mapConcurrent(inputs, async input => ({ ...input, ...(await resolve(input.text, terminal)) }));
  const invalid = results.filter(result => 'problem' in result);
  if (invalid.length > 0) {
    const lines = invalid
      .slice(0, MAX_ERRORS_SHOWN)
      .map(({ text, location, problem }) => `  ${location}${text} ${problem}`);
    const more = invalid.length > MAX_ERRORS_SHOWN ? [`  and ${invalid.length - MAX_ERRORS_SHOWN} more`] : [];
    throw usageError(['no host was enrolled, because some addresses are invalid:', ...lines, ...more].join('\n'));
  }
  const resolved = results.filter(result => 'address' in result);
  for (const { text, address } of resolved)
    if (normalizeAddress(text) === undefined) terminal.writeErr(`${text} is ${address}\n`);
  return [...new Set(resolved.map(({ address }) => address))];
}
