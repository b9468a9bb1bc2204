import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCertificate } from '../../test/harness/certificates/certificates.ts';
import { OperatorError } from '../lib/errors.ts';
import { CertificateFiles, watchCertificate } from './certificates.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-watch-'));
afterAll(() => rmSync(folder, { recursive: true }));
const read = (file: string) => readFileSync(file, 'utf8');
const one = createCertificate(path.join(folder, 'one'));
const two = createCertificate(path.join(folder, 'two'));
const rsa = createCertificate(path.join(folder, 'rsa'), { kind: 'rsa:2048' });
const truncated = path.join(folder, 'truncated.pem');
writeFileSync(truncated, read(two.cert).slice(0, 300));
const watchedFiles = { cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem') };

/** Replaces a file atomically, as programs that renew certificates do. */
function replaceFile(source: string, target: string) {
  copyFileSync(source, `${target}.new`);
  renameSync(`${target}.new`, target);
}

function replacePair({ cert, key }: typeof watchedFiles) {
  replaceFile(cert, watchedFiles.cert);
  replaceFile(key, watchedFiles.key);
}

/** The tests wait for polls instead of time. */
class CountingCertificateFiles extends CertificateFiles {
  polls = 0;

  override async haveChanged() {
    const hasChanged = await super.haveChanged();
    this.polls += 1;
    return hasChanged;
  }
}

const time = { passedMs: 0 };

async function startWatch(files = new CountingCertificateFiles(watchedFiles.cert, watchedFiles.key), now = Date.now()) {
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
    await expect.poll(() => files.polls).toBeGreaterThan(before + 3);
  };
  return { lines, applied, stop, waitForPolls };
}

describe('watchCertificate()', () => {
  let watch: Awaited<ReturnType<typeof startWatch>>;
  beforeEach(async () => {
    replacePair(one);
    watch = await startWatch();
  });
  afterEach(() => watch.stop());

  test('does not reload unchanged files', async () => {
    await watch.waitForPolls();
    expect([watch.applied, watch.lines]).toEqual([[], []]);
  });

  test('applies replaced files and logs the end of their validity', async () => {
    replacePair(two);
    await expect.poll(() => watch.applied.at(-1)).toBe(read(two.cert));
    expect(watch.lines.at(-1)).toMatchObject({ level: 30, msg: 'TLS certificate reloaded' });
    expect(watch.lines.at(-1)?.validTo).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  test('applies files that are replaced through a symbolic link', async () => {
    await watch.stop();
    const link = path.join(folder, 'link');
    symlinkSync('one', link);
    watch = await startWatch(new CountingCertificateFiles(path.join(link, 'cert.pem'), path.join(link, 'key.pem')));
    symlinkSync('two', `${link}.new`);
    renameSync(`${link}.new`, link);
    await expect.poll(() => watch.applied).toEqual([read(two.cert)]);
  });

  test.each([
    ['do not match', () => replaceFile(two.key, watchedFiles.key), /not a valid certificate and private key/],
    ['have different algorithms', () => replaceFile(rsa.key, watchedFiles.key), /belongs to a different certificate/],
    ['are truncated', () => replaceFile(truncated, watchedFiles.cert), /not a valid certificate/],
    ['are missing', () => rmSync(watchedFiles.key), /tls_key: cannot read the file: ENOENT/],
  ])('warns once about files that %s, and applies the next valid pair', async (_name, damage, problem) => {
    damage();
    await expect.poll(() => watch.lines).toHaveLength(1);
    await watch.waitForPolls();
    expect(watch.lines).toHaveLength(1);
    expect(watch.lines[0]).toMatchObject({
      level: 40,
      msg: 'new TLS certificate is invalid; keeping the current one',
      problem: expect.stringMatching(problem),
    });
    expect(watch.applied).toEqual([]);
    replacePair(two);
    await expect.poll(() => watch.applied.at(-1)).toBe(read(two.cert));
    expect(JSON.stringify(watch.lines)).not.toContain('PRIVATE KEY');
  });

  test('applies nothing after it is stopped', async () => {
    await watch.stop();
    const { applied } = watch;
    watch = await startWatch();
    replacePair(two);
    await expect.poll(() => watch.applied.at(-1)).toBe(read(two.cert));
    expect(applied).toEqual([]);
  });
});

test.each([
  ['does not warn about a certificate that is valid for longer', 75, []],
  ['warns about a certificate that expires soon', 77, ['TLS certificate expires within 14 days']],
  ['warns about an expired certificate', 91, ['TLS certificate has expired']],
])('watchCertificate() %s', async (_name, daysLater, messages) => {
  replacePair(one);
  const { lines, stop } = await startWatch(undefined, Date.now() + daysLater * DAY_MS);
  await stop();
  expect(lines.map(line => line.msg)).toEqual(messages);
});

test('watchCertificate() applies an expired certificate with a warning', async () => {
  replacePair(one);
  const { lines, stop } = await startWatch(undefined, Date.now() + 91 * DAY_MS);
  replacePair(two);
  const messages = ['TLS certificate reloaded', 'TLS certificate has expired'];
  await expect.poll(() => lines.slice(-2).map(line => line.msg)).toEqual(messages);
  await stop();
});

test.each([
  ['a key of another certificate', one.cert, two.key],
  ['a key of another algorithm', one.cert, rsa.key],
  ['a certificate instead of the key', one.cert, one.cert],
])('CertificateFiles.read() rejects %s', async (_name, cert, key) => {
  await expect(new CertificateFiles(cert, key).read()).rejects.toThrow(OperatorError);
});

test('watchCertificate() warns daily from 14 days before the end of the validity', async () => {
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
