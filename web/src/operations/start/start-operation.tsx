// Restart, upgrade or deploy a cluster: first what and how, then what that would be, host by host, and only then it is begun.

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { draftFieldAt } from '../../policy/draft-field-at.ts';
import { draftWith } from '../../policy/draft-of-wish.ts';
import { EMPTY_DRAFT } from '../../policy/policy-draft.ts';
import { wishOf } from '../../policy/wish-of-draft.ts';
import { Dialog } from '../../ui/dialog.tsx';
import type { FieldAt } from '../../ui/forms/field-errors.ts';
import { fieldErrors, invalidForm } from '../../ui/forms/field-errors.ts';
import { useAsk } from '../../ui/forms/use-ask.ts';
import { notice } from '../../ui/notices.tsx';
import { begun as capitalized } from '../../ui/words/sentence.ts';
import { PreviewStep } from './preview-step.tsx';
import type { Asked, Plan } from './put-operation.ts';
import { previewOperation, startOperation } from './put-operation.ts';
import type { Typed } from './wish-step.tsx';
import { WishStep } from './wish-step.tsx';

interface StartOperationProps {
  readonly cluster: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** A plan that was asked for, and the key under which it is begun at most once. */
interface Preview {
  readonly asked: Asked;
  readonly plan: Plan;
  /** How many members the cluster has; 0: not read, because nothing blocks the operation. */
  readonly members: number;
  readonly key: string;
}

const NOTHING_TYPED: Typed = { kind: 'restart', version: '', draft: EMPTY_DRAFT };

/** The policy stands within the body, the version beside it. */
const fieldAt: FieldAt = (name, part) => (name === 'version' ? name : draftFieldAt(name, part));

function Steps({ cluster, onClose }: Omit<StartOperationProps, 'isOpen'>) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState<Typed>(NOTHING_TYPED);
  const [preview, setPreview] = useState<Preview>();
  const [invalid, setInvalid] = useState<Error>();
  const { errors } = wishOf(typed.draft);

  const previewing = useAsk(async ({ kind, version, draft }: Typed) => {
    const asked: Asked = { kind, cluster, version: version.trim(), policy: wishOf(draft).wish };
    const plan = await previewOperation(api, asked);
    const members =
      plan.blocked_by.length === 0 ? 0 : (await api.getCluster({ name: cluster })).body.hosts.total;
    setPreview({ asked, plan, members, key: crypto.randomUUID() });
  });
  const starting = useAsk(async (begun: Preview) => {
    const id = await startOperation(api, begun.asked, begun.key);
    notice(`${capitalized(begun.asked.kind)} of ${cluster} started`);
    onClose();
    await navigate({ to: '/operations/$id', params: { id } });
  });

  const said = fieldErrors(previewing.problem, fieldAt, '/policy');
  const isInvalid = invalid !== undefined && Object.keys(errors).length > 0;
  const { version: versionError, ...policySaid } = said.of;
  if (preview !== undefined)
    return (
      <PreviewStep
        plan={preview.plan}
        members={preview.members}
        problem={starting.problem ?? previewing.problem}
        isBusy={starting.isBusy}
        isPreviewing={previewing.isBusy}
        onChange={fields => {
          const changed = { ...typed, draft: draftWith(typed.draft, fields) };
          setTyped(changed);
          previewing.run(changed);
        }}
        onStart={() => starting.run(preview)}
        onBack={() => {
          starting.forget();
          previewing.forget();
          setPreview(undefined);
        }}
      />
    );
  return (
    <WishStep
      typed={typed}
      onType={setTyped}
      errors={{ ...policySaid, ...(isInvalid && errors) }}
      versionError={versionError}
      failure={invalid ?? previewing.problem}
      summary={isInvalid ? invalid : said.summary}
      problem={isInvalid ? undefined : said.rest}
      isBusy={previewing.isBusy}
      onClose={onClose}
      onPreview={() => {
        const found = invalidForm(errors);
        setInvalid(found);
        if (found === undefined) previewing.run(typed);
      }}
    />
  );
}

export const StartOperation = ({ cluster, isOpen, onClose }: StartOperationProps) => (
  <Dialog title={`Start operation on ${cluster}`} isOpen={isOpen} onClose={onClose} size="wide">
    <Steps cluster={cluster} onClose={onClose} />
  </Dialog>
);
