// Restart, upgrade or deploy a cluster: first what and how, then what that would be, host by host, and only then it is begun.

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { RequestRefused } from '#client/client.ts';
import { api } from '../../../api/client.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { notice } from '../../../ui/notices.tsx';
import { useAsk } from '../../../ui/use-ask.ts';
import { errorsOf } from '../policy/field-errors.ts';
import { EMPTY_DRAFT } from '../policy/policy-draft.ts';
import { wishOf } from '../policy/wish-of-draft.ts';
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
  readonly key: string;
}

const NOTHING_TYPED: Typed = { kind: 'restart', version: '', draft: EMPTY_DRAFT };

/** What the service says of single fields. */
const saidOf = (problem: unknown) =>
  problem instanceof RequestRefused ? (problem.problem.errors ?? []) : [];

function Steps({ cluster, onClose }: Omit<StartOperationProps, 'isOpen'>) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState<Typed>(NOTHING_TYPED);
  const [preview, setPreview] = useState<Preview>();
  const [isTried, setIsTried] = useState(false);
  const { wish, errors } = wishOf(typed.draft);
  const asked: Asked = { kind: typed.kind, cluster, version: typed.version.trim(), policy: wish };

  const previewing = useAsk(async () => {
    const plan = await previewOperation(api, asked);
    setPreview({ asked, plan, key: crypto.randomUUID() });
  });
  const starting = useAsk(async (begun: Preview) => {
    const id = await startOperation(api, begun.asked, begun.key);
    notice(`The ${begun.asked.kind} of ${cluster} has begun.`);
    onClose();
    await navigate({ to: '/operations/$id', params: { id } });
  });

  const said = saidOf(previewing.problem);
  if (preview !== undefined)
    return (
      <PreviewStep
        plan={preview.plan}
        problem={starting.problem}
        isBusy={starting.isBusy}
        onStart={() => starting.run(preview)}
        onBack={() => {
          starting.forget();
          setPreview(undefined);
        }}
      />
    );
  return (
    <WishStep
      typed={typed}
      onType={setTyped}
      errors={{ ...errorsOf(said, '/policy'), ...(isTried && errors) }}
      versionError={said.find(({ path }) => path === '/version')?.message}
      problem={previewing.problem}
      isBusy={previewing.isBusy}
      onClose={onClose}
      onPreview={() => {
        setIsTried(true);
        if (Object.keys(errors).length === 0) previewing.run();
      }}
    />
  );
}

export const StartOperation = ({ cluster, isOpen, onClose }: StartOperationProps) => (
  <Dialog title={`Start an operation on ${cluster}`} isOpen={isOpen} onClose={onClose} size="wide">
    <Steps cluster={cluster} onClose={onClose} />
  </Dialog>
);
