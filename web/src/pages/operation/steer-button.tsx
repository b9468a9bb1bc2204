import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperationAction, PauseReason } from '#vocabulary';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { useAsk } from '../../ui/forms/use-ask.ts';
import { ProblemBox } from '../../ui/problem-box.tsx';
import type { SteerTarget } from './steer-words.ts';
import { steeringFor } from './steer-words.ts';

interface SteerButtonProps extends SteerTarget {
  readonly id: string;
  readonly size?: 'usual' | 'small';
  readonly kind?: 'plain' | 'primary';
}

/** Sends a request about an operation, after a confirmation unless the request is harmless. An error is shown in a dialog. */
export function SteerButton({ id, size = 'usual', kind = 'plain', ...target }: SteerButtonProps) {
  const { verb, host } = target;
  const { may, whyNot } = useMay();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { route, title, words, isDangerous, isAtOnce, ask } = steeringFor(target);
  const steer = async () => {
    await ask(api, id);
    await queryClient.invalidateQueries({ queryKey: keys.operationWhole(id) });
  };
  const { run, isBusy, problem, forget } = useAsk(steer);
  return (
    <>
      <Button
        size={size}
        kind={verb === 'cancel' ? 'danger' : kind}
        isBusy={isBusy}
        title={isAtOnce ? words.join(' ') : undefined}
        whyNot={may(route) ? undefined : whyNot(route)}
        onClick={() => (isAtOnce ? run() : setOpen(true))}
      >
        {title}
      </Button>
      {isAtOnce ? (
        <Dialog title={title} isOpen={problem !== undefined} onClose={forget}>
          <ProblemBox problem={problem} />
        </Dialog>
      ) : (
        <Confirm
          title={host === undefined ? title : `${title}: ${host}`}
          verb={title}
          dismiss={verb === 'cancel' ? 'Keep running' : 'Cancel'}
          isDangerous={isDangerous ?? false}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          ask={steer}
        >
          {words.map(text => (
            <p key={text}>{text}</p>
          ))}
        </Confirm>
      )}
    </>
  );
}

const ORDER: readonly OperationAction[] = ['resume', 'pause', 'retry', 'skip', 'cancel'];

interface SteeringProps {
  readonly id: string;
  readonly can: readonly OperationAction[];
  /** Whether there are hosts that `retry` and `skip` without a name mean. */
  readonly hasFailed: boolean;
  readonly pausedBy: PauseReason | null;
}

/** What may be asked of it now, as the service says. */
export const Steering = ({ id, can, hasFailed, pausedBy }: SteeringProps) =>
  ORDER.filter(verb => can.includes(verb) && (hasFailed || verb !== 'skip')).map(verb => (
    <SteerButton key={verb} id={id} verb={verb} pausedBy={pausedBy} hasFailed={hasFailed} />
  ));
