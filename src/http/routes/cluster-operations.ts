import type { Static } from 'typebox';
import type { App } from '../../app/index.ts';
import type { OperationRecord } from '../../app/operations/read-operations.ts';
import type { PolicyInput } from '../../contract/policy.ts';
import type { clusterOperationRoutes } from '../../contract/routes/cluster-operations.ts';
import { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import { respond, respondPut } from '../register-route.ts';
import type { HandlersFor, RequestContext } from '../request-context.ts';
import { viewDeploy, viewDryRun, viewRestart, viewUpgrade } from '../views/operation.ts';
import { parsePolicyInput } from '../views/policy.ts';

type Routes = typeof clusterOperationRoutes;

type PutContext = Pick<RequestContext<Routes['putRestart']>, 'actor' | 'params' | 'idempotencyKey'> & {
  readonly body: { readonly version?: string; readonly policy?: Static<typeof PolicyInput> };
};

/** The three kinds differ only in the view of their records. */
function operationKindHandlers<View extends object>(
  { operations }: App,
  isCommissaire: boolean,
  kind: OperationKind,
  view: (record: OperationRecord) => View,
) {
  const viewRecord = (record: OperationRecord) => ({
    ...(isCommissaire && { name: record.operation.cluster }),
    ...view(record),
  });
  const options = { headers: ({ operation }: OperationRecord) => ({ location: `/api/v0/operation/${operation.id}` }) };

  const get = async ({ params }: { readonly params: { readonly name: RecordName } }) =>
    respond(await operations.getLatest(params.name, kind), viewRecord, options);

  async function put({ actor, params, body: { version = '', policy = {} }, idempotencyKey }: PutContext) {
    const policyInput = parsePolicyInput(policy);
    if (policyInput instanceof AppError) return policyInput;
    const request = { cluster: params.name, kind, version, policyInput, idempotencyKey };
    // A dry run creates and finds nothing: its status is 200, also in Commissaire mode.
    if (policyInput.isDryRun) return respond(await operations.dryRun(request), viewDryRun, { status: 200 });
    const started = await operations.start(actor, request);
    if (started instanceof AppError) return started;
    const record = await operations.readRecord(started.record);
    return respondPut({ record, isNew: started.isNew }, viewRecord, options);
  }

  return { get, put };
}

export function clusterOperationHandlers(app: App, isCommissaire: boolean): HandlersFor<Routes> {
  const deploy = operationKindHandlers(app, isCommissaire, 'deploy', viewDeploy);
  const upgrade = operationKindHandlers(app, isCommissaire, 'upgrade', viewUpgrade);
  const restart = operationKindHandlers(app, isCommissaire, 'restart', viewRestart);
  return {
    getDeploy: deploy.get,
    putDeploy: deploy.put,
    getUpgrade: upgrade.get,
    putUpgrade: upgrade.put,
    getRestart: restart.get,
    putRestart: restart.put,
  };
}
