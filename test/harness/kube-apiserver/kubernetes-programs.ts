import { readFileSync } from 'node:fs';
import path from 'node:path';
import { machineArchive } from '../hosts/apt-sources.ts';
import { cached } from '../hosts/cached.ts';
import { containedWithUs, runTool } from '../hosts/run-tool.ts';

const BUILD_SCRIPT = path.join(import.meta.dirname, 'scripts/build.sh');
const PROGRAMS = ['kube-apiserver', 'kube-controller-manager', 'kubeadm'] as const;

/** The first test on a machine that wants them waits for as long; on a busy one it may take it. */
export const BUILD_MS = 60 * 60_000;

export type KubernetesPrograms = Readonly<Record<(typeof PROGRAMS)[number], string>>;

/** Where the programs are. They are built once on a machine. */
export async function kubernetesPrograms(): Promise<KubernetesPrograms> {
  const { codename, lines } = machineArchive();
  const folder = await cached({
    name: 'kubernetes',
    ingredients: [codename, process.arch, readFileSync(BUILD_SCRIPT, 'utf8'), ...PROGRAMS],
    build: async unfinished => {
      const argv = ['nice', BUILD_SCRIPT, unfinished, ...PROGRAMS] as const;
      await runTool(containedWithUs(argv), { input: `${lines.join('\n')}\n` });
    },
  });
  const place = (program: string) => path.join(folder, program);
  return {
    'kube-apiserver': place('kube-apiserver'),
    'kube-controller-manager': place('kube-controller-manager'),
    kubeadm: place('kubeadm'),
  };
}
