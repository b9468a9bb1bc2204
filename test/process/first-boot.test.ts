// The script by which a host enrols itself at its first boot, in the shells and with the tools that images have.

import { execFileSync, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UserData } from '../../src/app/user-data/render-user-data.ts';
import { renderUserData } from '../../src/app/user-data/render-user-data.ts';
import { Secret } from '../../src/domain/secret.ts';
import { makeCertificate } from '../harness/certificates/certificates.ts';
import { listen } from '../harness/listen.ts';
import { processesNaming } from '../harness/programs/processes-naming.ts';
import { until } from '../harness/until.ts';

const SHELLS = { dash: ['dash'], bash: ['bash'], busybox: ['busybox', 'sh'] } as const;
type Shell = keyof typeof SHELLS;
const TOOLS = 'awk base64 cat chmod chown cp grep head mkdir rm sed sleep tail tr'.split(' ');
const PASSWORD = 'hst_a"b\\c$d`e\'f g';
const PUBLIC_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIservice hostler';
const HOST_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIhost';

interface Asked {
  readonly login: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

describe('a host that boots for the first time', () => {
  let root: string;
  let asked: Asked[];
  /** What becomes of each request, in this order; then all are let in. */
  let answers: ((response: ServerResponse) => void)[];
  let server: ReturnType<typeof createServer>;
  let duringRequest: () => void;

  const answer = (status: number) => (response: ServerResponse) =>
    response.writeHead(status).end(`{"status": ${status}}`);

  const receive: RequestListener = async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    duringRequest();
    const text = Buffer.concat(chunks).toString();
    const login = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64').toString();
    asked.push({ login, body: JSON.parse(text), text });
    (answers.shift() ?? answer(201))(response);
  };

  beforeEach(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'hostler-boot-'));
    for (const folder of ['etc/ssh', 'root', 'bin', 'var/lib/cloud/scripts/per-boot', 'var/lib/cloud/data'])
      mkdirSync(path.join(root, folder), { recursive: true });
    write('etc/passwd', 'daemon:x:1:1::/usr/sbin:/usr/sbin/nologin\nroot:x:0:0:root:/root:/bin/sh\n');
    write('etc/ssh/ssh_host_ed25519_key.pub', `${HOST_KEY} root@image\n`);
    write('var/lib/cloud/data/instance-id', 'i-1\n');
    [asked, answers, duringRequest] = [[], [], () => {}];
    server = createServer(receive);
    await listen(server);
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
    rmSync(root, { recursive: true, force: true });
  });

  const write = (file: string, text: string) => writeFileSync(path.join(root, file), text);
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const urlOf = (scheme = 'http') => `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** Where a program of this machine is; one that only finds another for it will not do. */
  function find(tool: string): string {
    const script = 'import sys; print(sys.executable)';
    const found =
      tool === 'python3'
        ? execFileSync('python3', ['-c', script])
        : execFileSync('sh', ['-c', `command -v ${tool}`]);
    return found.toString().trim();
  }

  /** The host has these, and no others. */
  function install(shell: Shell, ...more: readonly string[]): void {
    for (const tool of [...TOOLS, ...more]) {
      const isApplet = shell === 'busybox' && TOOLS.includes(tool);
      symlinkSync(find(isApplet ? 'busybox' : tool), path.join(root, 'bin', tool));
    }
  }

  function boot(shell: Shell, data: Partial<UserData> = {}) {
    const file = path.join(root, 'part-001');
    const standard = { login: 'token', remoteUser: 'root', cluster: 'web', ca: '', publicKey: PUBLIC_KEY };
    const notes = ['For the cluster web.\nrm -rf /nonexistent'];
    writeFileSync(
      file,
      renderUserData({ ...standard, url: urlOf(), password: new Secret(PASSWORD), notes, ...data }),
    );
    return runScript(shell, file);
  }

  function runScript(shell: Shell, file: string) {
    const [program, ...args] = SHELLS[shell];
    const child = spawn(`/bin/${program}`, [...args, file], {
      env: {
        PATH: path.join(root, 'bin'),
        HOSTLER_ROOT_DIR: root,
        HOSTLER_STATE_DIR: path.join(root, 'var/lib/hostler-enrol'),
        HOSTLER_MAX_BACKOFF_S: '1',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const ended = new Promise<number | null>(resolve => child.once('close', resolve));
    return { child, ended, said: () => said };
  }

  describe.each(Object.keys(SHELLS) as Shell[])('in %s', shell => {
    test.each([
      ['a link in place of .ssh', () => symlinkSync('../etc', path.join(root, 'root/.ssh'))],
      [
        'a link in place of authorized_keys',
        () => {
          mkdirSync(path.join(root, 'root/.ssh'));
          symlinkSync('../../etc/passwd', path.join(root, 'root/.ssh/authorized_keys'));
        },
      ],
      [
        'a link to a file that is not there',
        () => {
          mkdirSync(path.join(root, 'root/.ssh'));
          symlinkSync('../../etc/new', path.join(root, 'root/.ssh/authorized_keys'));
        },
      ],
    ])('follows no symbolic link in the home of the user: %s', async (_what, link) => {
      install(shell, 'curl');
      link();
      const before = [readdirSync(path.join(root, 'etc')), read('etc/passwd')];
      const { child, said } = boot(shell);
      await until(said, () => /is a symbolic link; remove it and run this script again/.test(said()));
      child.kill('SIGKILL');
      expect([readdirSync(path.join(root, 'etc')), read('etc/passwd')]).toEqual(before);
      expect(asked).toEqual([]);
    });

    test('lets the service in and says who it is, once', async () => {
      install(shell, 'curl');
      write('etc/ssh/ssh_host_rsa_key.pub', 'ssh-rsa AAAAB3Nza+/=');
      // Of a type that the service refuses; and one that was cut off.
      write('etc/ssh/ssh_host_dsa_key.pub', 'ssh-dss AAAAB3NzaC1kc3M root@image\n');
      write('etc/ssh/ssh_host_ecdsa_key.pub', 'ecdsa-sha2-nistp256\n');
      mkdirSync(path.join(root, 'root/.ssh'));
      write('root/.ssh/authorized_keys', `# ${PUBLIC_KEY}\nssh-rsa AAAA somebody`);
      const { ended, said } = boot(shell);
      expect(await ended, said()).toBe(0);
      expect(asked).toEqual([
        {
          login: `token:${PASSWORD}`,
          body: {
            cluster: 'web',
            remote_user: 'root',
            ssh_port: expect.any(Number),
            host_keys: [HOST_KEY, 'ssh-rsa AAAAB3Nza+/='],
          },
          text: expect.any(String),
        },
      ]);
      expect(read('root/.ssh/authorized_keys')).toBe(
        `# ${PUBLIC_KEY}\nssh-rsa AAAA somebody\n${PUBLIC_KEY}\n`,
      );
      expect(readdirSync(path.join(root, 'var/lib/hostler-enrol'))).toEqual(['enrolled']);
      expect(readdirSync(path.join(root, 'var/lib/cloud/scripts/per-boot'))).toEqual([]);
      expect(await boot(shell).ended).toBe(0);
      expect(asked).toHaveLength(1);
      // An image of it is another host.
      write('var/lib/cloud/data/instance-id', 'i-2\n');
      expect(await boot(shell).ended).toBe(0);
      expect(asked).toHaveLength(2);
      expect(read('root/.ssh/authorized_keys').match(/service/g)).toHaveLength(2);
    });

    test('asks again until it is enrolled, with the same request, also after another boot', async () => {
      install(shell, 'curl');
      answers = [answer(503), response => response.destroy(), answer(500), answer(429)];
      const first = boot(shell);
      await until('it has asked', () => asked.length === 3);
      first.child.kill('SIGKILL');
      await first.ended;
      const again = runScript(shell, path.join(root, 'var/lib/cloud/scripts/per-boot/hostler-enrol'));
      expect(await again.ended, again.said()).toBe(0);
      expect(asked.length).toBeGreaterThanOrEqual(5);
      expect(new Set(asked.map(({ text }) => text)).size).toBe(1);
      expect(first.said()).toMatch(/failed with status 503: .*\n.*no response from .*\n/);
      expect(readdirSync(path.join(root, 'var/lib/cloud/scripts/per-boot'))).toEqual([]);
    });
  });

  test.each([
    ['dash', 'curl'],
    ['bash', 'curl'],
    ['busybox', 'curl'],
    ['dash', 'python3'],
  ] as const)(
    'prints the detail of a rejection in %s with %s, without control characters',
    async (shell, tool) => {
      install(shell, tool);
      const reject = (body: string) => (response: ServerResponse) => response.writeHead(503).end(body);
      const detail = 'the "token" a\\033b\u001b[31m\nis – used up; ask $(touch x) `y`';
      answers = [
        reject(JSON.stringify({ type: '/docs', status: 503, detail, code: 'x' })),
        reject(`{"status": 503, "detail" : "${'long'.repeat(1000)}`),
        reject('<h1>\u001b[31mno\r\nproxy</h1>\n'),
        reject(''),
      ];
      const { ended, said } = boot(shell);
      expect(await ended, said()).toBe(0);
      const texts = [...said().matchAll(/ failed with status 503: (.*)\n/g)].map(([, text]) => text);
      expect(texts).toEqual([
        'the "token" a\\033b?[31m is ? used up; ask $(touch x) `y`',
        'long'.repeat(250),
        '<h1>?[31mno? proxy</h1>',
        '',
      ]);
    },
  );

  test('does not hold up the boot when it is refused, and asks again in the background', async () => {
    install('dash', 'curl');
    answers = [answer(403), answer(403)];
    const { ended, said } = boot('dash');
    expect(await ended, said()).toBe(0);
    expect(said()).toMatch(
      /failed with status 403: .*\nhostler: continuing the boot; enrolment is retried in the background\n$/,
    );
    const kept = () => readdirSync(path.join(root, 'var/lib/hostler-enrol'));
    await until('it is enrolled', () => kept().length === 1 && kept()[0] === 'enrolled');
    expect(asked).toHaveLength(3);
    expect(readdirSync(path.join(root, 'var/lib/cloud/scripts/per-boot'))).toEqual([]);
  });

  test.each(['curl', 'python3'])('sends by %s, and no secret is in a list of processes', async tool => {
    install('dash', tool);
    let seen: readonly unknown[] = ['nobody looked'];
    duringRequest = () => {
      seen = processesNaming('hst_a');
    };
    const { ended, said } = boot('dash');
    expect(await ended, said()).toBe(0);
    expect([asked[0]?.login, seen]).toEqual([`token:${PASSWORD}`, []]);
  });

  test.each(['curl', 'python3'])('believes by %s whom it is told to, and nobody else', async tool => {
    install('busybox', tool);
    const { cert, key } = makeCertificate(path.join(root, 'tls'));
    server.close();
    server = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }, receive);
    await listen(server);
    const stranger = boot('busybox', { url: urlOf('https') });
    await until('it does not believe', () => /no response from .*certificate/i.test(stranger.said()));
    stranger.child.kill('SIGKILL');
    await stranger.ended;
    expect(asked).toEqual([]);
    const { ended, said } = boot('busybox', { url: urlOf('https'), ca: readFileSync(cert, 'utf8') });
    expect(await ended, said()).toBe(0);
    expect(asked).toHaveLength(1);
  });

  test('has a key of its own in the old way, the same in every request, and keeps none of it', async () => {
    install('dash', 'curl', 'ssh-keygen');
    answers = [answer(503)];
    const { ended, said } = boot('dash', { login: 'enroller' });
    expect(await ended, said()).toBe(0);
    expect(asked).toHaveLength(2);
    const [first, second] = asked;
    expect(first?.text).toBe(second?.text);
    expect(first?.login).toBe(`enroller:${PASSWORD}`);
    const privateKey = Buffer.from(String(first?.body['ssh_priv_key']), 'base64').toString();
    expect(privateKey).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----\n/);
    write('key', privateKey);
    execFileSync('chmod', ['600', path.join(root, 'key')]);
    const publicKey = execFileSync('ssh-keygen', ['-y', '-f', path.join(root, 'key')])
      .toString()
      .trim();
    expect(read('root/.ssh/authorized_keys')).toContain(publicKey);
    expect(read('root/.ssh/authorized_keys')).not.toContain('service');
    expect(readdirSync(path.join(root, 'var/lib/hostler-enrol'))).toEqual(['enrolled']);
  });

  test.each<[string, () => Partial<UserData>, RegExp]>([
    ['neither curl nor python3', () => ({}), /neither curl nor python3 is installed on this host/],
    ['no such user', () => ({ remoteUser: 'ops' }), /the user ops does not exist on this host/],
    [
      'no host keys',
      () => {
        rmSync(path.join(root, 'etc/ssh/ssh_host_ed25519_key.pub'));
        return {};
      },
      /no supported host keys/,
    ],
  ])('says what it lacks, and tries again: %s', async (_what, lacking, expected) => {
    install('dash');
    const { child, ended, said } = boot('dash', lacking());
    await until(
      'it has said so twice',
      () =>
        said()
          .split('\n')
          .filter(line => expected.test(line)).length > 1,
    );
    child.kill('SIGKILL');
    await ended;
    expect(asked).toEqual([]);
  });
});
