import type { KubeNode } from '../../../clients/kubernetes/kube-node.ts';
import type { SourceFacts } from '../../../domain/hosts/source-facts.ts';
import { toldFacts } from '../told-facts.ts';
import { quantityOf } from './quantity.ts';

/** How `PRETTY_NAME` of a system begins, which a node tells as `osImage`; the first that fits. What is not here is not told. */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/^Fedora CoreOS\b/, 'coreos'],
  // Others that are booted from an OSTree, and say so.
  [/^(Red Hat|CentOS|Fedora)\b.*\b(CoreOS|Atomic|Silverblue|Kinoite|IoT)\b/, 'atomic'],
  [/^Fedora\b/, 'fedora'],
  [/^CentOS\b/, 'centos'],
  [/^Red Hat Enterprise Linux\b/, 'rhel'],
  [/^Rocky Linux\b/, 'rocky'],
  [/^AlmaLinux\b/, 'almalinux'],
  [/^Debian GNU\/Linux\b/, 'debian'],
  [/^Ubuntu\b(?! Core)/, 'ubuntu'],
  [/^openSUSE (Leap(?! Micro)|Tumbleweed)\b/, 'opensuse'],
  [/^Flatcar\b/, 'flatcar'],
];

const systemOf = (osImage = '') => SYSTEMS.find(([beginning]) => beginning.test(osImage))?.[1];

const kibOf = (quantity: string | undefined) => {
  const bytes = quantityOf(quantity);
  return bytes === undefined ? undefined : bytes / 1024;
};

export const factsOfNode = ({ osImage, capacity, hostname, conditions }: KubeNode): SourceFacts => ({
  ...toldFacts({
    os: systemOf(osImage),
    cpus: quantityOf(capacity['cpu']),
    memory: kibOf(capacity['memory']),
    space: kibOf(capacity['ephemeral-storage']),
    hostname,
  }),
  conditions,
});
