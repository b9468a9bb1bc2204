import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createHome, describeCli } from '../harness/programs/cli.ts';

describeCli('hostler network, container-manager and driver', {}, run => {
  const KUBE = '--type kubernetes --option server_url=http://127.0.0.1:1 --option join=false';

  test('creates, checks, replaces and removes a network', async () => {
    const steps: readonly [string, string][] = [
      ['network create plain --type none', 'network plain created\n'],
      ['network create plain --type none', 'network plain already exists\n'],
      ['network list', 'NAME     TYPE\ndefault  none\nplain    none\n'],
      ['network show plain', 'name: plain\ntype: none\n'],
      ['network check plain', 'network plain: connection check passed\n'],
      [
        'network create plain --replace --type flannel_etcd --option endpoints=http://127.0.0.1:1 --option endpoints=http://127.0.0.1:2',
        'network plain replaced\n',
      ],
      [
        'network show plain',
        'name:      plain\ntype:      flannel_etcd\nendpoints: ["http://127.0.0.1:1","http://127.0.0.1:2"]\n',
      ],
      ['network remove plain --yes', 'network plain removed\n'],
      ['network list -o name', 'default\n'],
    ];
    for (const [line, stdout] of steps) expect(await run(line), line).toMatchObject({ exitCode: 0, stdout });
  });

  test('parses option values by the driver schema: text, numbers, objects', async () => {
    await run(
      'network create overlay --type flannel_etcd --option endpoints=http://127.0.0.1:1 --option "backend={Type: vxlan, VNI: 7}"',
    );
    const { stdout } = await run('network show overlay -o json');
    expect(JSON.parse(stdout)).toMatchObject({
      options: { endpoints: ['http://127.0.0.1:1'], backend: { Type: 'vxlan', VNI: 7 } },
    });
  });

  test('reads options from a file, and --option overrides them', async () => {
    const file = path.join(await createHome(), 'options.yaml');
    writeFileSync(file, 'endpoints: [http://127.0.0.1:1]\nprefix: /old\n');
    await run(`network create filed --type flannel_etcd --options ${file} --option prefix=/new`);
    const { stdout } = await run('network show filed -o json');
    expect(JSON.parse(stdout).options).toEqual({ endpoints: ['http://127.0.0.1:1'], prefix: '/new' });
  });

  test('reads a secret from a file or stdin and does not print it in text output', async () => {
    const file = path.join(await createHome(), 'token');
    writeFileSync(file, 'token-of-file\n');
    await run(`container-manager create filed ${KUBE} --option-file token=${file}`);
    await run(`container-manager create piped ${KUBE} --option-stdin token`, { input: 'token-of-pipe\n' });
    expect((await run('container-manager list -o name')).stdout).toBe('filed\npiped\n');
    const token = async (name: string) =>
      JSON.parse((await run(`container-manager show ${name} -o json`)).stdout).options.token;
    expect([await token('filed'), await token('piped')]).toEqual(['token-of-file', 'token-of-pipe']);
    const { stdout } = await run('container-manager show filed');
    expect(stdout).toContain('token:      (secret; shown to admins with -o json)\n');
    expect(stdout).not.toContain('token-of-file');
  });

  test('check exits with 1 and prints the problems', async () => {
    await run(`container-manager create down ${KUBE} --option-stdin token`, { input: 'x' });
    const result = await run('container-manager check down');
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toMatch(/^hostler: container manager down: connection check failed:\n {2}\S.*127\.0\.0\.1:1/);
    const json = await run('container-manager check down -o json');
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false });
  });

  test.each([
    [`container-manager create k ${KUBE} --option token=abc`, 2, /token is a secret.*--option-file token=FILE/],
    ['network create n', 2, /required option '--type <type>'/],
    ['network create n --type nonsense', 4, /--type must be one of none, flannel_etcd/],
    ['network create n --type none --option colour=red', 4, /colour/],
    [
      'network create n --type none --option colour',
      2,
      /invalid value "colour" of --option: it must have the form key=value/,
    ],
    ['network create n --type none --options /no/such/file', 2, /\/no\/such\/file does not exist/],
    [
      'network create n --type flannel_server --option address=a --option address=b',
      2,
      /option address is given twice/,
    ],
    [
      'container-manager create k --type kubernetes --option server_url=https://x --option certificate_path=/b',
      4,
      /^hostler: --option certificate_key_path is required with certificate_path \(invalid_body, /,
    ],
    ['network create n --type none --options - --option-stdin x', 2, /both read stdin/],
    ['network create n --type flannel_kube --option "backend={"', 2, /invalid YAML in option backend/],
    ['network show nowhere', 5, /the network nowhere does not exist/],
    ['network remove nowhere', 5, /the network nowhere does not exist/],
    ['network remove default', 2, /Confirm with --yes \(no terminal to prompt on\)/],
    ['driver show nonsense', 4, /the driver nonsense does not exist/],
    ['driver show kubernetes', 2, /--kind container_manager or --kind host_source/],
  ])('`hostler %s` exits with %i', async (line, exitCode, stderr) => {
    const result = await run(line);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toMatch(stderr);
    expect(result.stdout).toBe('');
  });

  test('lists drivers and shows their options', async () => {
    expect((await run('driver list --kind container_manager -o name')).stdout).toBe(
      'kubernetes\nopenshift\nk3s\nswarm\ntrivial\n',
    );
    expect((await run('driver list')).stdout).toMatch(/^KIND +TYPE +SUMMARY\nos +\S+ /);
    expect((await run('driver show openssh')).stdout).toMatch(/^summary: +OpenSSH: the program ssh/m);
    const { stdout } = await run('driver show k3s');
    expect(stdout).toMatch(/^kind: {4}container_manager\ntype: {4}k3s\nsummary: k3s; hosts join as agents\n\nOPTION /);
    expect(stdout).toMatch(/\nserver_url +required +URL of .*\ntoken +secret +\S/);
  });
});
