// The script that enrols a host at its first boot, in the shells and with the tools that images have.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
import { createCertificate } from '../harness/certificates/certificates.ts';
import { listen } from '../harness/http/sockets.ts';
import { findProgram } from '../harness/programs/find-program.ts';
import { findProcesses } from '../harness/programs/proc-files.ts';
import { waitUntil } from '../harness/wait-until.ts';

const SHELLS = { dash: ['dash'], bash: ['bash'], busybox: ['busybox', 'sh'] } as const;
type Shell = keyof typeof SHELLS;
const TOOLS = 'awk base64 cat chmod chown cp grep head mkdir rm sed sleep tail tr'.split(' ');
const PASSWORD = 'hst_a"b\\c$d`e\'f g';
const PUBLIC_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIservice hostler';
const HOST_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIhost';

interface ReceivedRequest {
  readonly login: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

describe('the enrolment script', () => {
  let root: string;
  let received: ReceivedRequest[];
  /** Responses in order; further requests are accepted. */
  let responses: ((response: ServerResponse) => void)[];
  let server: ReturnType<typeof createServer>;
  let duringRequest: () => void;

  const respond = (status: number) => (response: ServerResponse) =>
    response.writeHead(status).end(`{"status": ${status}}`);

  const receive: RequestListener = async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    duringRequest();
    const text = Buffer.concat(chunks).toString();
    const login = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64').toString();
    received.push({ login, body: JSON.parse(text), text });
    (responses.shift() ?? respond(201))(response);
  };

  beforeEach(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'hostler-boot-'));
    for (const folder of ['etc/ssh', 'root', 'bin', 'var/lib/cloud/scripts/per-boot', 'var/lib/cloud/data'])
      mkdirSync(path.join(root, folder), { recursive: true });
    write('etc/passwd', 'daemon:x:1:1::/usr/sbin:/usr/sbin/nologin\nroot:x:0:0:root:/root:/bin/sh\n');
    write('etc/ssh/ssh_host_ed25519_key.pub', `${HOST_KEY} root@image\n`);
    write('var/lib/cloud/data/instance-id', 'i-1\n');
    [received, responses, duringRequest] = [[], [], () => {}];
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

  /** Path of a program. Wrappers that locate the real program do not work without their PATH. */
  function find(tool: string): string {
    const script = 'import sys; print(sys.executable)';
    return tool === 'python3' ? execFileSync('python3', ['-c', script]).toString().trim() : findProgram(tool);
  }

  /** Makes only these tools available on the host. */
  function install(shell: Shell, ...extraTools: readonly string[]): void {
    for (const tool of [...TOOLS, ...extraTools]) {
      const isApplet = shell === 'busybox' && TOOLS.includes(tool);
      symlinkSync(find(isApplet ? 'busybox' : tool), path.join(root, 'bin', tool));
    }
  }

  function boot(shell: Shell, data: Partial<UserData> = {}) {
    const file = path.join(root, 'part-001');
    const standard = { login: 'token', remoteUser: 'root', cluster: 'web', ca: '', publicKey: PUBLIC_KEY };
    const notes = ['For the cluster web.\nrm -rf /nonexistent'];
    writeFileSync(file, renderUserData({ ...standard, url: urlOf(), password: new Secret(PASSWORD), notes, ...data }));
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
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = new Promise<number | null>(resolve => child.once('close', resolve));
    return { child, ended, stderr: () => stderr };
  }

  describe.each(Object.keys(SHELLS) as Shell[])('with the shell %s', shell => {
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
        'a link to a missing file',
        () => {
          mkdirSync(path.join(root, 'root/.ssh'));
          symlinkSync('../../etc/new', path.join(root, 'root/.ssh/authorized_keys'));
        },
      ],
    ])('follows no symbolic link in the home folder of the user: %s', async (_case, link) => {
      install(shell, 'curl');
      link();
      const before = [readdirSync(path.join(root, 'etc')), read('etc/passwd')];
      const { child, stderr } = boot(shell);
      await waitUntil(stderr, () => /is a symbolic link; remove it and run this script again/.test(stderr()));
      child.kill('SIGKILL');
      expect([readdirSync(path.join(root, 'etc')), read('etc/passwd')]).toEqual(before);
      expect(received).toEqual([]);
    });

    test('authorizes the service key and enrols once', async () => {
      install(shell, 'curl');
      write('etc/ssh/ssh_host_rsa_key.pub', 'ssh-rsa AAAAB3Nza+/=');
      // One of a type that the service rejects, and one that is truncated.
      write('etc/ssh/ssh_host_dsa_key.pub', 'ssh-dss AAAAB3NzaC1kc3M root@image\n');
      write('etc/ssh/ssh_host_ecdsa_key.pub', 'ecdsa-sha2-nistp256\n');
      mkdirSync(path.join(root, 'root/.ssh'));
      write('root/.ssh/authorized_keys', `# ${PUBLIC_KEY}\nssh-rsa AAAA admin`);
      const { ended, stderr } = boot(shell);
      expect(await ended, stderr()).toBe(0);
      expect(received).toEqual([
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
      expect(read('root/.ssh/authorized_keys')).toBe(`# ${PUBLIC_KEY}\nssh-rsa AAAA admin\n${PUBLIC_KEY}\n`);
      expect(readdirSync(path.join(root, 'var/lib/hostler-enrol'))).toEqual(['enrolled']);
      expect(readdirSync(path.join(root, 'var/lib/cloud/scripts/per-boot'))).toEqual([]);
      expect(await boot(shell).ended).toBe(0);
      expect(received).toHaveLength(1);
      // A host that boots from an image of this host is another host.
      write('var/lib/cloud/data/instance-id', 'i-2\n');
      expect(await boot(shell).ended).toBe(0);
      expect(received).toHaveLength(2);
      expect(read('root/.ssh/authorized_keys').match(/service/g)).toHaveLength(2);
    });

    test('repeats the same request until it is enrolled, also after a reboot', async () => {
      install(shell, 'curl');
      responses = [respond(503), response => response.destroy(), respond(500), respond(429)];
      const first = boot(shell);
      await waitUntil('three requests', () => received.length === 3);
      first.child.kill('SIGKILL');
      await first.ended;
      const again = runScript(shell, path.join(root, 'var/lib/cloud/scripts/per-boot/hostler-enrol'));
      expect(await again.ended, again.stderr()).toBe(0);
      expect(received.length).toBeGreaterThanOrEqual(5);
      expect(new Set(received.map(({ text }) => text)).size).toBe(1);
      expect(first.stderr()).toMatch(/failed with status 503: .*\n.*no response from .*\n/);
      expect(readdirSync(path.join(root, 'var/lib/cloud/scripts/per-boot'))).toEqual([]);
    });
  });

  test.each([
    ['dash', 'curl'],
    ['bash', 'curl'],
    ['busybox', 'curl'],
    ['dash', 'python3'],
  ] as const)('prints the detail of a rejection in %s with %s, without control characters', async (shell, tool) => {
    install(shell, tool);
    const reject = (body: string) => (response: ServerResponse) => response.writeHead(503).end(body);
    const detail = 'the "token" a\\033b\u001b[31m\nis – used up; ask $(touch x) `y`';
    responses = [
      reject(JSON.stringify({ type: '/docs', status: 503, detail, code: 'x' })),
      reject(`{"status": 503, "detail" : "${'long'.repeat(1000)}`),
      reject('<h1>\u001b[31mno\r\nproxy</h1>\n'),
      reject(''),
    ];
    const { ended, stderr } = boot(shell);
    expect(await ended, stderr()).toBe(0);
    const texts = [...stderr().matchAll(/ failed with status 503: (.*)\n/g)].map(([, text]) => text);
    expect(texts).toEqual([
      'the "token" a\\033b?[31m is ? used up; ask $(touch x) `y`',
      'long'.repeat(250),
      '<h1>?[31mno? proxy</h1>',
      '',
    ]);
  });

  test('lets the boot continue after a rejection and retries in the background', async () => {
    install('dash', 'curl');
    responses = [respond(403), respond(403)];
    const { ended, stderr } = boot('dash');
    expect(await ended, stderr()).toBe(0);
    expect(stderr()).toMatch(
      /failed with status 403: .*\nhostler: continuing the boot; enrolment is retried in the background\n$/,
    );
    const stateFiles = () => readdirSync(path.join(root, 'var/lib/hostler-enrol'));
    await waitUntil('the host is enrolled', () => stateFiles().length === 1 && stateFiles()[0] === 'enrolled');
    expect(received).toHaveLength(3);
    expect(readdirSync(path.join(root, 'var/lib/cloud/scripts/per-boot'))).toEqual([]);
  });

  test.each(['curl', 'python3'])('sends the request with %s without secrets in the process list', async tool => {
    install('dash', tool);
    let matches: readonly unknown[] = ['no request received'];
    duringRequest = () => {
      matches = findProcesses('hst_a');
    };
    const { ended, stderr } = boot('dash');
    expect(await ended, stderr()).toBe(0);
    expect([received[0]?.login, matches]).toEqual([`token:${PASSWORD}`, []]);
  });

  test.each(['curl', 'python3'])('uses %s and trusts only the configured CA', async tool => {
    install('busybox', tool);
    const { cert, key } = createCertificate(path.join(root, 'tls'));
    server.close();
    server = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }, receive);
    await listen(server);
    const untrusted = boot('busybox', { url: urlOf('https') });
    await waitUntil('the certificate is rejected', () => /no response from .*certificate/i.test(untrusted.stderr()));
    untrusted.child.kill('SIGKILL');
    await untrusted.ended;
    expect(received).toEqual([]);
    const { ended, stderr } = boot('busybox', { url: urlOf('https'), ca: readFileSync(cert, 'utf8') });
    expect(await ended, stderr()).toBe(0);
    expect(received).toHaveLength(1);
  });

  test('creates a key in legacy mode, sends the same key in every request and deletes it', async () => {
    install('dash', 'curl', 'ssh-keygen');
    responses = [respond(503)];
    const { ended, stderr } = boot('dash', { login: 'enroller' });
    expect(await ended, stderr()).toBe(0);
    expect(received).toHaveLength(2);
    const [first, second] = received;
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
    ['missing user', () => ({ remoteUser: 'ops' }), /the user ops does not exist on this host/],
    [
      'no host keys',
      () => {
        rmSync(path.join(root, 'etc/ssh/ssh_host_ed25519_key.pub'));
        return {};
      },
      /no supported host keys/,
    ],
  ])('reports missing requirements and retries: %s', async (_case, prepare, expected) => {
    install('dash');
    const { child, ended, stderr } = boot('dash', prepare());
    await waitUntil(
      'the message is printed twice',
      () =>
        stderr()
          .split('\n')
          .filter(line => expected.test(line)).length > 1,
    );
    child.kill('SIGKILL');
    await ended;
    expect(received).toEqual([]);
  });
});
