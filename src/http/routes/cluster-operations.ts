import type { Static } from 'typebox';
import type { App } from '../../app/index.ts';
import type { OperationRecord } from '../../app/operations/read-operations.ts';
import type { PolicyWish } from '../../contract/policy.ts';
import type { clusterOperationRoutes } from '../../contract/routes/cluster-operations.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import type { Call, HandlersOf } from '../call.ts';
import type { Compat } from '../compat.ts';
import { viewDeploy, viewDryRun, viewRestart, viewUpgrade } from '../views/cluster-operation.ts';
import { toPolicyWish } from '../views/policy.ts';

type Rows = typeof clusterOperationRoutes;

interface Body {
  readonly version?: string;
  readonly policy?: Static<typeof PolicyWish>;
}
type Put = Pick<Call<Rows['putRestart']>, 'actor' | 'params' | 'idempotencyKey'> & { readonly body: Body };

/** The three kinds are served alike, but for how their records are shown. */
function handlersOf<Shown extends object>(
  { operations }: App,
  { areOperationsNamed }: Pick<Compat, 'areOperationsNamed'>,
  { kind, view }: { readonly kind: OperationKind; readonly view: (record: OperationRecord) => Shown },
) {
  const answer = (record: OperationRecord) => {
    const { id, cluster } = record.operation;
    return {
      body: { ...(areOperationsNamed && { name: cluster }), ...view(record) },
      headers: { location: `/api/v0/operation/${id}` },
    };
  };

  async function get({ params }: { readonly params: { readonly name: RecordName } }) {
    const record = await operations.newest(params.name, kind);
    return record instanceof AppError ? record : answer(record);
  }

  async function put({ actor, params, body: { version = '', policy = {} }, idempotencyKey }: Put) {
    const wish = toPolicyWish(policy);
    if (Array.isArray(wish)) return invalidBody(...wish);
    const request = { cluster: params.name, kind, version, wish, idempotencyKey };
    if (wish.isDryRun) {
      const plan = await operations.dryRun(request);
      return plan instanceof AppError ? plan : { body: viewDryRun(plan), isOnlyTold: true as const };
    }
    const started = await operations.start(actor, request);
    if (started instanceof AppError) return started;
    return { ...answer(await operations.readRecord(started.record)), isNew: started.isNew };
  }

  return { get, put };
}

export function clusterOperationHandlers(app: App, compat: Compat): HandlersOf<Rows> {
  const deploy = handlersOf(app, compat, { kind: 'deploy', view: viewDeploy });
  const upgrade = handlersOf(app, compat, { kind: 'upgrade', view: viewUpgrade });
  const restart = handlersOf(app, compat, { kind: 'restart', view: viewRestart });
  return {
    getDeploy: deploy.get,
    putDeploy: deploy.put,
    getUpgrade: upgrade.get,
    putUpgrade: upgrade.put,
    getRestart: restart.get,
    putRestart: restart.put,
  };
}
