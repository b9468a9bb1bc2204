import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperationVerb } from '#vocabulary';
import { keys } from '../../api/keys.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { STEERING } from './steer-words.ts';

interface SteerButtonProps {
  readonly id: string;
  readonly verb: OperationVerb;
  /** Only this host is meant. */
  readonly host?: string;
  readonly size?: 'usual' | 'small';
}

/** Asks something of an operation, after it has said what comes of it. */
export function SteerButton({ id, verb, host, size = 'usual' }: SteerButtonProps) {
  const { may, whyNot } = useMay();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { route, title, hostTitle = title, words, isDangerous = false, ask } = STEERING[verb];
  const name = host === undefined ? title : hostTitle;
  return (
    <>
      <Button
        size={size}
        kind={verb === 'cancel' ? 'danger' : 'plain'}
        whyNot={may(route) ? undefined : whyNot(route)}
        onClick={() => setOpen(true)}
      >
        {name}
      </Button>
      <Confirm
        title={host === undefined ? name : `${name}: ${host}`}
        verb={verb === 'cancel' ? 'Cancel the operation' : name}
        isDangerous={isDangerous}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        ask={async () => {
          await ask(id, host === undefined ? undefined : [host]);
          await queryClient.invalidateQueries({ queryKey: keys.operationWhole(id) });
        }}
      >
        {words.map(text => (
          <p key={text}>{text}</p>
        ))}
      </Confirm>
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
