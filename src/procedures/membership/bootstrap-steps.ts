import type { TaskOf } from '../../domain/tasks/task.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { done, failed, fromTransportFailure, retryOnScriptError } from '../outcomes.ts';
import { ensureRoot, findOsDriver, queryFacts, UNSUPPORTED_OS } from '../query-host.ts';
import { INSTALL_TIMEOUT_MS } from '../retry-policies.ts';
import { runJobs } from '../run-commands.ts';
import type { Step } from '../step.ts';

type BootstrapStep = Omit<Step<TaskOf<'bootstrap'>>, 'retryPolicy'>;

/** A host can be enrolled before its sshd runs. No command runs on the host before its host key is saved. */
export const waitForSsh: BootstrapStep = {
  name: 'wait_for_ssh',
  async run({ connection, hasPinnedHostKeys }) {
    const hostKey = await connection.hostKey();
    if (hostKey instanceof TransportFailure) return fromTransportFailure(hostKey);
    return done({ is_first_contact: !hasPinnedHostKeys }, hasPinnedHostKeys ? { pendingHostKey: null } : { hostKey });
  },
};

export const gatherFacts: BootstrapStep = {
  name: 'gather_facts',
  async run(context) {
    const result = await queryFacts(context);
    if ('outcome' in result) return result.outcome;
    const facts = result.value;
    if (facts.osDriver === '') {
      return failed('unsupported_os: no driver supports this operating system; the host cannot be bootstrapped', {
        facts,
      });
    }
    return done({ os: facts.os, os_driver: facts.osDriver }, { facts, trigger: 'investigated' });
  },
};

export const installPrerequisites: BootstrapStep = {
  name: 'install_prerequisites',
  async run(context) {
    const { host } = context;
    const notRoot = await ensureRoot(context);
    if (notRoot) return notRoot;
    const driver = findOsDriver(context, host);
    if (driver === undefined) return UNSUPPORTED_OS;
    const packages = driver.requiredPackages ?? [];
    const commands = packages.length === 0 ? [] : driver.install(packages);
    if (commands === undefined) return failed(`packages_not_supported: ${host.os} cannot install packages`);
    const outcome = await runJobs(context, commands, INSTALL_TIMEOUT_MS, retryOnScriptError);
    return outcome ?? done({ packages: packages.join(' ') });
  },
};

export const markReady: BootstrapStep = {
  name: 'mark_ready',
  run: async () => done({}, { trigger: 'bootstrapped' }),
};
