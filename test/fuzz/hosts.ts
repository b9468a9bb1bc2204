// What hosts say: each of them may be somebody's.

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
import { probeReboot } from '../../src/procedures/reboot/probe-reboot.ts';
import { parseReply, REPLY_PREFIX } from '../../src/procedures/reboot/reboot-guard.ts';
import { ERROR_MARKER, ScriptError } from '../../src/procedures/script-error.ts';
import { HOST_KEY } from '../harness/keys.ts';
import type { Parser } from './parser.ts';
import { near, nearBytes, orSays, parser, require, requireSeen } from './parser.ts';

const BOOT_ID = '01234567-89ab-cdef-0123-456789abcdef';
const MOST_KIB = 2 ** 50;

const ran = (text: string) => ({ exitCode: 0, stdout: Buffer.from(text), stderr: Buffer.alloc(0) });

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
  parser('the facts of a host', 'src/drivers/os/facts.ts', near(FACTS), text => {
    const found = facts.parse(ran(text));
    if (found === undefined) return;
    const { hostname, os, osDriver, cpus, memoryKib, spaceKib } = found;
    require(/^[\w.-]{0,64}$/.test(hostname), 'the host name is one');
    require(/^[a-z0-9_-]*$/.test(`${os}${osDriver}`), 'the system is a word of ours');
    for (const number of [cpus, memoryKib, spaceKib])
      require(Number.isSafeInteger(number) && number >= 0 && number <= MOST_KIB, 'a number is one');
    livenessQuery.parse(ran(text));
  }),
  parser(
    'a list of processors, and of file systems',
    'src/drivers/os/facts.ts',
    near('0-3,5', '/dev/sda 10 1 1 1% /'),
    text => {
      require(countCpus(text) <= 65_536 && sumDiskSpace([text]) <= MOST_KIB, 'it is bounded');
    },
  ),
  parser(
    'os-release',
    'src/drivers/os/os-release.ts',
    near('ID="debian"\nID_LIKE=\'x y\'\nVARIANT_ID=a\\"b'),
    text => {
      const { id, idLike, variantId } = parseOsRelease(text.split('\n'));
      require([id, ...idLike, variantId].every(each =>
        /^[a-z0-9._-]{0,64}$/.test(each),
      ), 'identifiers are plain');
    },
  ),
  parser(
    'what the tools of each system say',
    'src/drivers/os/index.ts',
    near(
      'running 6.1.0-21-amd64\nkernel 6.1.0-22-amd64\nbuild #1 SMP Debian 6.1.90-1 (2024-05-03)',
      '<install-summary packages-to-change="3">',
      '{"deployments":[{"booted":true,"checksum":"a","version":"1"}]}',
      '{"status":{"booted":{"image":{"image":{"image":"a/b:1"}}}}}',
    ),
    text => {
      for (const { rebootRequired, upgrade, image } of osDrivers)
        for (const question of [rebootRequired, upgrade.hasUpdates, ...(image ? [image.deployments] : [])])
          question.parse(ran(text));
    },
    50,
  ),
  parser(
    'how far a job is',
    'src/procedures/jobs/job-poll.ts',
    near('hostler-job ended 0 12 0 first 9 1\noutput\n', 'hostler-job running - 5 0 - 9 -\n'),
    text => {
      const look = pollJob(JOB).parse(ran(text));
      require(look === undefined || (look.total >= 0 && look.offset >= 0), 'places are numbers');
    },
  ),
  parser(
    'how far a reboot is',
    'src/procedures/reboot/probe-reboot.ts',
    near(
      `${REPLY_PREFIX} ${BOOT_ID} 12 failed 1\nwhy\n`,
      `${REPLY_PREFIX} ${BOOT_ID} 12 failed constructor\n`,
      `${REPLY_PREFIX} sent\n`,
      `${ERROR_MARKER} write_file mkdir: cannot create directory\n`,
      `${ERROR_MARKER} constructor x\n`,
    ),
    text => {
      const look = probeReboot(MARK).parse(ran(text));
      requireSeen(look instanceof ScriptError ? look.detail : look?.problem);
      const word = parseReply(ran(text), ['sent', 'taken']);
      requireSeen(word instanceof ScriptError ? word.detail : word);
    },
  ),
  parser(
    'output between marks',
    'src/drivers/transport/bounded-output.ts',
    fc.tuple(near('noise\nB\nsaid\nE 0\nmore'), fc.integer({ min: 1, max: 9 })),
    ([text, size]) => {
      const [whole, cut] = [
        new DelimitedOutput({ begin: 'B', end: 'E' }),
        new DelimitedOutput({ begin: 'B', end: 'E' }),
      ];
      const bytes = Buffer.from(text);
      whole.add(bytes);
      for (let at = 0; at < bytes.length; at += size) cut.add(bytes.subarray(at, at + size));
      require(Buffer.from(whole.bytes()).equals(
        Buffer.from(cut.bytes()),
      ), 'it is the same however it is cut');
      require(whole.exitCode === cut.exitCode, 'so is the code');
    },
  ),
  parser(
    'a key as a host shows it',
    'src/drivers/transport/openssh/key-agent.ts',
    nearBytes(keyBlob),
    blob => {
      hostKeyLine(blob);
      return void orSays(() => parsePresentedKey(blob), RangeError);
    },
  ),
  parser(
    'the last words of ssh',
    'src/drivers/transport/openssh/ssh-errors.ts',
    near(
      'root@h: Permission denied (publickey).',
      'x: no matching cipher found. Their offer: y',
      'Connection closed by x',
    ),
    text => {
      for (const hasProxy of [true, false]) {
        requireSeen(opensshFailureOf({ exitCode: 255, stderrTail: text }, { user: text, hasProxy }).detail);
      }
      requireSeen(
        toTransportFailure(new Error(text), text).detail.replace(/^it knows no .* that the transport/, ''),
      );
    },
  ),
  parser(
    'what is quoted of anybody',
    'src/lib/sanitize.ts',
    fc.oneof(near('a b'), fc.string({ unit: 'binary', maxLength: 500 })),
    text => {
      const quoted = sanitizeLine(text);
      requireSeen(quoted);
      requireSeen(lastLine(Buffer.from(text)));
      requireSeen(sanitizeText(Buffer.from(text)).replace(/[\n\t]/g, ''));
      require(quoted.length <= 200 && sanitizeLine(quoted) === quoted, 'it is short, and stays as it is');
      requireSeen(escapeInvisibleJson(JSON.stringify(text)));
      require(JSON.parse(escapeInvisibleJson(JSON.stringify(text))) === text, 'JSON says the same');
    },
  ),
];
