import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperationVerb } from '#vocabulary';
import { keys } from '../../api/keys.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { useAsk } from '../../ui/forms/use-ask.ts';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { STEERING } from './steer-words.ts';

interface SteerButtonProps {
  readonly id: string;
  readonly verb: OperationVerb;
  /** Only this host is meant. */
  readonly host?: string;
  readonly size?: 'usual' | 'small';
}

/** Asks something of an operation: at once, or after it has said what comes of it. A refusal is told in a dialog. */
export function SteerButton({ id, verb, host, size = 'usual' }: SteerButtonProps) {
  const { may, whyNot } = useMay();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { route, title, hostTitle = title, words, isDangerous, isAtOnce, ask } = STEERING[verb];
  const name = host === undefined ? title : hostTitle;
  const steer = async () => {
    await ask(id, host === undefined ? undefined : [host]);
    await queryClient.invalidateQueries({ queryKey: keys.operationWhole(id) });
  };
  const { run, isBusy, problem, forget } = useAsk(steer);
  return (
    <>
      <Button
        size={size}
        kind={verb === 'cancel' ? 'danger' : 'plain'}
        isBusy={isBusy}
        title={isAtOnce ? words.join(' ') : undefined}
        whyNot={may(route) ? undefined : whyNot(route)}
        onClick={() => (isAtOnce ? run() : setOpen(true))}
      >
        {name}
      </Button>
      {isAtOnce ? (
        <Dialog title={name} isOpen={problem !== undefined} onClose={forget}>
          <ProblemBox problem={problem} />
        </Dialog>
      ) : (
        <Confirm
          title={host === undefined ? name : `${name}: ${host}`}
          verb={verb === 'cancel' ? 'Cancel the operation' : name}
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

const ORDER: readonly OperationVerb[] = ['resume', 'pause', 'retry', 'skip', 'cancel'];

interface SteeringProps {
  readonly id: string;
  readonly can: readonly OperationVerb[];
  /** Whether there are hosts that `retry` and `skip` without a name mean. */
  readonly hasFailed: boolean;
}

/** What may be asked of it now, as the service says. */
export const Steering = ({ id, can, hasFailed }: SteeringProps) =>
  ORDER.filter(verb => can.includes(verb) && (hasFailed || verb !== 'skip')).map(verb => (
    <SteerButton key={verb} id={id} verb={verb} />
  ));
