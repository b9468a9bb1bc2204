// Parsers of output from hosts, which may be hostile.

import fc from 'fast-check';
import { hostKeyLine } from '../../src/domain/hosts/host-key.ts';
import { countCpus, factsQuery, livenessQuery, sumDiskSpace } from '../../src/drivers/os/facts.ts';
import { FACTS_BEGIN, FACTS_END } from '../../src/drivers/os/facts-script.ts';
import { osDrivers } from '../../src/drivers/os/index.ts';
import { parseOsRelease } from '../../src/drivers/os/os-release.ts';
import { DelimitedOutput } from '../../src/drivers/transport/bounded-output.ts';
import { parsePresentedKey } from '../../src/drivers/transport/openssh/key-agent.ts';
import { toTransportFailure as opensshFailureOf } from '../../src/drivers/transport/openssh/ssh-errors.ts';
import { toTransportFailure } from '../../src/drivers/transport/ssh/ssh-errors.ts';
import { escapeInvisibleJson, lastLine, sanitizeLine, sanitizeText } from '../../src/lib/sanitize.ts';
import { pollJob } from '../../src/procedures/jobs/job-poll.ts';
import { parseReply, REPLY_PREFIX } from '../../src/procedures/reboot/reboot-guard.ts';
import { probeReboot } from '../../src/procedures/reboot/reboot-scripts.ts';
import { ERROR_MARKER, ScriptError } from '../../src/procedures/script-error.ts';
import { HOST_KEY } from '../harness/credentials.ts';
import type { Parser } from './parser.ts';
import { allowErrors, assertThat, mutatedBytes, mutatedText, parser, requireVisible } from './parser.ts';

const BOOT_ID = '01234567-89ab-cdef-0123-456789abcdef';
const MAX_KIB = 2 ** 50;

const commandResult = (text: string) => ({ exitCode: 0, stdout: Buffer.from(text), stderr: Buffer.alloc(0) });

const FACTS = `${FACTS_BEGIN}
hostname node-1
boot-id ${BOOT_ID}
os-release ID="debian"
os-release ID_LIKE='a b'
tool apt-get
online 0-3,5
memory 2048
disk /dev/sda1 1000 1 1 1% /
${FACTS_END}
`;

const facts = factsQuery(osDrivers);
const MARK = { operation: 'op', attempt: 1, bootId: BOOT_ID };
const JOB = { name: 'job-1', offset: 0, waitS: 1 };
const keyBlob = Buffer.from(HOST_KEY.split(' ')[1] ?? '', 'base64');

export const hostParsers: readonly Parser[] = [
  parser('the facts of a host', 'src/drivers/os/facts.ts', mutatedText(FACTS), text => {
    const found = facts.parse(commandResult(text));
    if (found === undefined) return;
    const { hostname, os, osDriver, cpus, memoryKib, spaceKib } = found;
    assertThat(/^[\w.-]{0,64}$/.test(hostname), 'the host name is valid');
    assertThat(/^[a-z0-9_-]*$/.test(`${os}${osDriver}`), 'the operating system is a known word');
    for (const number of [cpus, memoryKib, spaceKib])
      assertThat(Number.isSafeInteger(number) && number >= 0 && number <= MAX_KIB, 'a number is valid');
    livenessQuery.parse(commandResult(text));
  }),
  parser(
    'processor and file system lists',
    'src/drivers/os/facts.ts',
    mutatedText('0-3,5', '/dev/sda 10 1 1 1% /'),
    text => {
      assertThat(countCpus(text) <= 65_536 && sumDiskSpace([text]) <= MAX_KIB, 'the result is bounded');
    },
  ),
  parser(
    'os-release',
    'src/drivers/os/os-release.ts',
    mutatedText('ID="debian"\nID_LIKE=\'x y\'\nVARIANT_ID=a\\"b'),
    text => {
      const { id, idLike, variantId } = parseOsRelease(text.split('\n'));
      assertThat(
        [id, ...idLike, variantId].every(value => /^[a-z0-9._-]{0,64}$/.test(value)),
        'identifiers are plain',
      );
    },
  ),
  parser(
    'the output of package tools',
    'src/drivers/os/index.ts',
    mutatedText(
      'running 6.1.0-21-amd64\nkernel 6.1.0-22-amd64\nbuild #1 SMP Debian 6.1.90-1 (2024-05-03)',
      '<install-summary packages-to-change="3">',
      '{"deployments":[{"booted":true,"checksum":"a","version":"1"}]}',
      '{"status":{"booted":{"image":{"image":{"image":"a/b:1"}}}}}',
    ),
    text => {
      for (const { rebootRequired, upgrade, image } of osDrivers)
        for (const query of [rebootRequired, upgrade.hasUpdates, ...(image ? [image.deployments] : [])])
          query.parse(commandResult(text));
    },
    50,
  ),
  parser(
    'a job poll',
    'src/procedures/jobs/job-poll.ts',
    mutatedText('hostler-job ended 0 12 0 first 9 1\noutput\n', 'hostler-job running - 5 0 - 9 -\n'),
    text => {
      const result = pollJob(JOB).parse(commandResult(text));
      assertThat(result === undefined || (result.total >= 0 && result.offset >= 0), 'offsets are numbers');
    },
  ),
  parser(
    'a reboot probe',
    'src/procedures/reboot/reboot-scripts.ts',
    mutatedText(
      `${REPLY_PREFIX} ${BOOT_ID} 12 failed 1\nwhy\n`,
      `${REPLY_PREFIX} ${BOOT_ID} 12 failed constructor\n`,
      `${REPLY_PREFIX} sent\n`,
      `${ERROR_MARKER} write_file mkdir: cannot create directory\n`,
      `${ERROR_MARKER} constructor x\n`,
    ),
    text => {
      const result = probeReboot(MARK).parse(commandResult(text));
      requireVisible(result instanceof ScriptError ? result.detail : result?.problem);
      const word = parseReply(commandResult(text), ['sent', 'taken']);
      requireVisible(word instanceof ScriptError ? word.detail : word);
    },
  ),
  parser(
    'delimited output',
    'src/drivers/transport/bounded-output.ts',
    fc.tuple(mutatedText('noise\nB\nsaid\nE 0\nmore'), fc.integer({ min: 1, max: 9 })),
    ([text, size]) => {
      const [atOnce, inPieces] = [
        new DelimitedOutput({ begin: 'B', end: 'E' }),
        new DelimitedOutput({ begin: 'B', end: 'E' }),
      ];
      const bytes = Buffer.from(text);
      atOnce.add(bytes);
      for (let at = 0; at < bytes.length; at += size) inPieces.add(bytes.subarray(at, at + size));
      assertThat(
        Buffer.from(atOnce.bytes()).equals(Buffer.from(inPieces.bytes())),
        'the output does not depend on chunks',
      );
      assertThat(atOnce.exitCode === inPieces.exitCode, 'the exit code does not depend on chunks');
    },
  ),
  parser('a presented host key', 'src/drivers/transport/openssh/key-agent.ts', mutatedBytes(keyBlob), blob => {
    hostKeyLine(blob);
    return void allowErrors(() => parsePresentedKey(blob), RangeError);
  }),
  parser(
    'an ssh error message',
    'src/drivers/transport/openssh/ssh-errors.ts',
    mutatedText(
      'root@h: Permission denied (publickey).',
      'x: no matching cipher found. Their offer: y',
      'Connection closed by x',
    ),
    text => {
      for (const hasProxy of [true, false]) {
        requireVisible(opensshFailureOf({ exitCode: 255, stderrTail: text }, { user: text, hasProxy }).detail);
      }
      requireVisible(
        toTransportFailure(new Error(text), text).detail.replace(/^it knows no .* that the transport/, ''),
      );
    },
  ),
  parser(
    'quoted text',
    'src/lib/sanitize.ts',
    fc.oneof(mutatedText('a b'), fc.string({ unit: 'binary', maxLength: 500 })),
    text => {
      const quoted = sanitizeLine(text);
      requireVisible(quoted);
      requireVisible(lastLine(Buffer.from(text)));
      requireVisible(sanitizeText(Buffer.from(text)).replace(/[\n\t]/g, ''));
      assertThat(quoted.length <= 200 && sanitizeLine(quoted) === quoted, 'the result is short and stable');
      requireVisible(escapeInvisibleJson(JSON.stringify(text)));
      assertThat(JSON.parse(escapeInvisibleJson(JSON.stringify(text))) === text, 'the JSON is equivalent');
    },
  ),
];
