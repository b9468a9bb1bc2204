import type { RetryPolicy } from '../../domain/tasks/retry-policy.ts';
import type { TaskOf } from '../../domain/tasks/task.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { done, failed, fromTransportFailure, retry, retryOnScriptError } from '../outcomes.ts';
import { checkRoot, UID_COMMAND } from '../query-host.ts';
import { INSTALL_TIMEOUT_MS, QUERY_TIMEOUT_MS } from '../retry-policies.ts';
import { runJobs } from '../run-commands.ts';
import type { Step } from '../step.ts';

/** A host can be enrolled before its sshd runs. No command runs on the host before its host key is saved. */
export const waitForSsh = (retryPolicy: RetryPolicy): Step<TaskOf<'bootstrap'>> => ({
  name: 'wait_for_ssh',
  retryPolicy,
  async run({ connection, hasPinnedHostKeys }) {
    const hostKey = await connection.hostKey();
    if (hostKey instanceof TransportFailure) return fromTransportFailure(hostKey);
    return done({ is_first_contact: !hasPinnedHostKeys }, hasPinnedHostKeys ? { pendingHostKey: null } : { hostKey });
  },
});

export const gatherFacts = (retryPolicy: RetryPolicy): Step<TaskOf<'bootstrap'>> => ({
  name: 'gather_facts',
  retryPolicy,
  async run({ connection, os }) {
    const facts = await connection.query(os.facts, { timeoutMs: QUERY_TIMEOUT_MS });
    if (facts instanceof TransportFailure) return fromTransportFailure(facts);
    if (facts === undefined) return retry('unexpected_output: cannot parse the facts of the host');
    if (facts.osDriver === '') {
      return failed('unsupported_os: no driver supports this operating system; the host cannot be bootstrapped', {
        facts,
      });
    }
    return done({ os: facts.os, os_driver: facts.osDriver }, { facts, trigger: 'investigated' });
  },
});

/** Checks for root access and installs the packages that later commands need. */
export const installPrerequisites = (retryPolicy: RetryPolicy): Step<TaskOf<'bootstrap'>> => ({
  name: 'install_prerequisites',
  retryPolicy,
  async run(context) {
    const { connection, os, host } = context;
    const result = await connection.run(UID_COMMAND, { timeoutMs: QUERY_TIMEOUT_MS, asRoot: true });
    if (result instanceof TransportFailure) return fromTransportFailure(result);
    const notRoot = checkRoot(result);
    if (notRoot !== undefined) return failed(`not_root: ${notRoot}`);
    const driver = os.drivers.find(candidate => candidate.type === host.osDriver);
    if (driver === undefined) return failed(`unsupported_os: the driver ${host.osDriver} is no longer available`);
    const packages = driver.requiredPackages ?? [];
    const commands = packages.length === 0 ? [] : driver.install(packages);
    if (commands === undefined) return failed(`packages_not_supported: ${host.os} cannot install packages`);
    const problem = await runJobs(context, commands, INSTALL_TIMEOUT_MS, retryOnScriptError);
    return problem ?? done({ packages: packages.join(' ') });
  },
});

export const markReady = (retryPolicy: RetryPolicy): Step<TaskOf<'bootstrap'>> => ({
  name: 'mark_ready',
  retryPolicy,
  run: async () => done({}, { trigger: 'bootstrapped' }),
});
