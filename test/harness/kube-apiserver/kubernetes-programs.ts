import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inOwnNamespaces, runTool } from '../programs/run-tool.ts';
import { machineArchive } from '../real-hosts/apt-sources.ts';
import { buildCached } from '../real-hosts/build-cache.ts';
import { checkPrograms, checkRoot, describeUnless } from '../vitest/conditional-suites.ts';

const BUILD_SCRIPT = path.join(import.meta.dirname, 'scripts/build.sh');
const PROGRAMS = ['kube-apiserver', 'kube-controller-manager', 'kubeadm'] as const;

/** The first test on a machine builds the programs, which can take this long on a busy machine. */
export const BUILD_MS = 60 * 60_000;

export type KubernetesPrograms = Readonly<Record<(typeof PROGRAMS)[number], string>>;

/** Paths of the programs, built once per machine. */
export async function kubernetesPrograms(): Promise<KubernetesPrograms> {
  const { codename, lines } = machineArchive();
  const folder = await buildCached({
    name: 'kubernetes',
    inputs: [codename, process.arch, readFileSync(BUILD_SCRIPT, 'utf8'), ...PROGRAMS],
    build: async unfinished => {
      const argv = ['nice', BUILD_SCRIPT, unfinished, ...PROGRAMS] as const;
      await runTool(inOwnNamespaces(argv), { input: `${lines.join('\n')}\n` });
    },
  });
  const toPath = (program: string) => path.join(folder, program);
  return {
    'kube-apiserver': toPath('kube-apiserver'),
    'kube-controller-manager': toPath('kube-controller-manager'),
    kubeadm: toPath('kubeadm'),
  };
}

const REQUIRED_PROGRAMS = ['etcd', 'openssl', 'go', 'apt-get', 'setpriv'];
/** The build script supports the Kubernetes of this Debian release. */
const RELEASE = 'bookworm';
const SOURCES = ['json-iterator/go', 'modern-go/reflect2'].map(name => `/usr/share/gocode/src/github.com/${name}`);

function checkSources(): string | undefined {
  if (!SOURCES.every(folder => existsSync(folder))) return 'the required Go packages are missing';
  return machineArchive().codename === RELEASE
    ? undefined
    : `kube-apiserver is built from the sources of Debian ${RELEASE}`;
}

/** Skipped with a message if kube-apiserver cannot be built. */
export const describeOnKubeApiserver = (name: string, tests: () => void): void =>
  describeUnless(checkRoot() ?? checkPrograms(REQUIRED_PROGRAMS) ?? checkSources(), name, tests);
