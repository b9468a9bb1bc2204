import path from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** Files that mostly wait. They start first, so that browser tests and isolated files use the CPU meanwhile. */
const LONGEST_WAITS: readonly string[] = [
  'test/chaos/short.test.ts',
  'test/hosts/unhealthy-members.test.ts',
  'test/process/demo.test.ts',
];

/** The slowest other files. Starting them early avoids a long tail with one running file. */
const SLOWEST_FILES: readonly string[] = [
  'test/process/first-boot.test.ts',
  'test/hosts/host-lifecycle.test.ts',
  'test/api/operation-lifecycle.test.ts',
  'test/api/slow-clients.test.ts',
  'test/process/tls.test.ts',
  'test/process/lifecycle.test.ts',
  'test/hosts/failing-restart.test.ts',
  'src/drivers/transport/ssh/ssh-transport.integration.test.ts',
  'test/process/durability.test.ts',
  'src/http/connections/node-server.integration.test.ts',
  'test/hosts/enrolment.test.ts',
  'src/procedures/reboot/reboot-scripts-send.integration.test.ts',
  'test/hosts/rolling-restart.test.ts',
  'src/drivers/transport/openssh/openssh-transport.integration.test.ts',
  'test/hosts/secrets.test.ts',
  'test/hosts/kubernetes-cluster.test.ts',
  'test/hosts/transports.test.ts',
  'src/drivers/transport/ssh/ssh-transport-hostile-host.integration.test.ts',
  'test/engine/multiple-servers.test.ts',
  'test/hosts/unwritable-run.test.ts',
  'src/procedures/jobs/start-script.integration.test.ts',
  'src/procedures/jobs/poll-script.integration.test.ts',
];

const BROWSER_FILES = /^test\/web\//;

function rank(file: string, isIsolated: boolean): number {
  const start = LONGEST_WAITS.indexOf(file);
  if (start >= 0) return start;
  if (isIsolated || BROWSER_FILES.test(file)) return LONGEST_WAITS.length;
  const slow = SLOWEST_FILES.indexOf(file);
  return LONGEST_WAITS.length + 1 + (slow >= 0 ? slow : SLOWEST_FILES.length);
}

/** Sorts by rank. Within a rank, vitest sorts by the previous duration, or by file size. */
export class SlowestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId, project }: TestSpecification) =>
      rank(path.relative(this.ctx.config.root, moduleId), project.config.isolate);
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
