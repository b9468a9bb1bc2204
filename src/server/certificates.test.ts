import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeCertificate } from '../../test/harness/certificates/certificates.ts';
import { OperatorError } from '../lib/errors.ts';
import { CertificateFiles, watchCertificate } from './certificates.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-watch-'));
afterAll(() => rmSync(folder, { recursive: true }));
const read = (file: string) => readFileSync(file, 'utf8');
const one = makeCertificate(path.join(folder, 'one'));
const two = makeCertificate(path.join(folder, 'two'));
const rsa = makeCertificate(path.join(folder, 'rsa'), { kind: 'rsa:2048' });
const truncated = path.join(folder, 'half.pem');
writeFileSync(truncated, read(two.cert).slice(0, 300));
const live = { cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem') };

/** Puts a file in the place of another at once, as programs do that renew certificates. */
function replaceFile(source: string, target: string) {
  copyFileSync(source, `${target}.new`);
  renameSync(`${target}.new`, target);
}

function replacePair({ cert, key }: typeof live) {
  replaceFile(cert, live.cert);
  replaceFile(key, live.key);
}

/** Counts how often it was asked, which is the clock of these tests. */
class CountingCertificateFiles extends CertificateFiles {
  polls = 0;

  override async haveChanged() {
    const hasChanged = await super.haveChanged();
    this.polls += 1;
    return hasChanged;
  }
}

/** How much time has passed since the start. */
const time = { passedMs: 0 };

async function startWatch(files = new CountingCertificateFiles(live.cert, live.key), now = Date.now()) {
  const lines: { level: number; msg: string; problem?: string; validTo?: string }[] = [];
  const log = pino({}, { write: line => lines.push(JSON.parse(line)) });
  const applied: string[] = [];
  const stop = watchCertificate(await files.read(), {
    files,
    apply: ({ cert }) => applied.push(cert),
    clock: { now: () => now + time.passedMs, monotonicMs: () => time.passedMs },
    log,
    pollIntervalMs: 5,
  });
  const waitForPolls = async () => {
    const before = files.polls;
    await vi.waitFor(() => expect(files.polls).toBeGreaterThan(before + 3));
  };
  return { lines, applied, stop, waitForPolls };
}

describe('the files of a certificate', () => {
  let watch: Awaited<ReturnType<typeof startWatch>>;
  beforeEach(async () => {
    replacePair(one);
    watch = await startWatch();
  });
  afterEach(() => watch.stop());

  test('that stay as they are are not read again', async () => {
    await watch.waitForPolls();
    expect([watch.applied, watch.lines]).toEqual([[], []]);
  });

  test('that are replaced are used, and the log says until when', async () => {
    replacePair(two);
    await vi.waitFor(() => expect(watch.applied.at(-1)).toBe(read(two.cert)));
    expect(watch.lines.at(-1)).toMatchObject({ level: 30, msg: 'TLS certificate reloaded' });
    expect(watch.lines.at(-1)?.validTo).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  test('that are exchanged through a symbolic link are used', async () => {
    await watch.stop();
    const link = path.join(folder, 'link');
    symlinkSync('one', link);
    watch = await startWatch(
      new CountingCertificateFiles(path.join(link, 'cert.pem'), path.join(link, 'key.pem')),
    );
    symlinkSync('two', `${link}.new`);
    renameSync(`${link}.new`, link);
    await vi.waitFor(() => expect(watch.applied).toEqual([read(two.cert)]));
  });

  test.each([
    [
      'do not belong together',
      () => replaceFile(two.key, live.key),
      /not a valid certificate and private key/,
    ],
    ['are of two kinds', () => replaceFile(rsa.key, live.key), /belongs to a different certificate/],
    ['are half written', () => replaceFile(truncated, live.cert), /not a valid certificate/],
    ['are gone', () => rmSync(live.key), /tls_key: cannot read the file: ENOENT/],
  ])('that %s are warned of once, and used as soon as they are in order', async (_how, damage, problem) => {
    damage();
    await vi.waitFor(() => expect(watch.lines).toHaveLength(1));
    await watch.waitForPolls();
    expect(watch.lines).toHaveLength(1);
    expect(watch.lines[0]).toMatchObject({
      level: 40,
      msg: 'new TLS certificate is invalid; keeping the current one',
      problem: expect.stringMatching(problem),
    });
    expect(watch.applied).toEqual([]);
    replacePair(two);
    await vi.waitFor(() => expect(watch.applied.at(-1)).toBe(read(two.cert)));
    expect(JSON.stringify(watch.lines)).not.toContain('PRIVATE KEY');
  });

  test('are left alone once the watching has stopped', async () => {
    await watch.stop();
    const { applied } = watch;
    watch = await startWatch();
    replacePair(two);
    await vi.waitFor(() => expect(watch.applied.at(-1)).toBe(read(two.cert)));
    expect(applied).toEqual([]);
  });
});

test.each([
  ['says nothing of a certificate that is good for longer', 75, []],
  ['warns of a certificate that expires soon', 77, ['TLS certificate expires within 14 days']],
  ['warns of a certificate that has expired', 91, ['TLS certificate has expired']],
])('the start %s', async (_what, daysLater, messages) => {
  replacePair(one);
  const { lines, stop } = await startWatch(undefined, Date.now() + daysLater * DAY_MS);
  await stop();
  expect(lines.map(line => line.msg)).toEqual(messages);
});

test('a new certificate that has expired is used, and warned of', async () => {
  replacePair(one);
  const { lines, stop } = await startWatch(undefined, Date.now() + 91 * DAY_MS);
  replacePair(two);
  const messages = ['TLS certificate reloaded', 'TLS certificate has expired'];
  await vi.waitFor(() => expect(lines.slice(-2).map(line => line.msg)).toEqual(messages));
  await stop();
});

test.each([
  ['a key of another certificate', one.cert, two.key],
  ['a key of another kind', one.cert, rsa.key],
  ['a certificate in place of the key', one.cert, one.cert],
])('%s is refused', async (_what, cert, key) => {
  await expect(new CertificateFiles(cert, key).read()).rejects.toThrow(OperatorError);
});

test('a certificate that nobody replaces is warned of each day, from two weeks before its end', async () => {
  replacePair(one);
  time.passedMs = 0;
  const { lines, stop, waitForPolls } = await startWatch(undefined, Date.now() + 75 * DAY_MS);
  for (const days of [0.5, 1.1, 2.2, 2.3]) {
    time.passedMs = days * DAY_MS;
    await waitForPolls();
  }
  await stop();
  time.passedMs = 0;
  expect(lines.map(line => line.msg)).toEqual(Array(2).fill('TLS certificate expires within 14 days'));
});
