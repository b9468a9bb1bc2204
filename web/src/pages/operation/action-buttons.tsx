import { useQueryClient } from '@tanstack/react-query';
import type { OperationAction, PauseReason } from '#vocabulary';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { usePermissions } from '../../auth/session.tsx';
import type { ButtonProps } from '../../ui/button.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/callout.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useAction } from '../../ui/forms/form.tsx';
import { ConfirmButton } from '../../ui/forms/form-dialog.tsx';
import type { ActionTarget } from './operation-actions.ts';
import { actionFor } from './operation-actions.ts';

interface ActionButtonProps extends ActionTarget {
  readonly id: string;
  readonly size?: 'medium' | 'small';
  readonly variant?: 'plain' | 'primary';
}

/** Sends an action, after a confirmation unless the action is harmless. An error is shown in a dialog. */
export function ActionButton({ id, size = 'medium', variant = 'plain', ...target }: ActionButtonProps) {
  const { action, host } = target;
  const { deniedReason } = usePermissions();
  const queryClient = useQueryClient();
  const { route, title, effects, isDestructive = false, skipsConfirmation, request } = actionFor(target);
  const sendAction = async () => {
    await request(api, id);
    await queryClient.invalidateQueries({ queryKey: queryKeys.operationDetails(id) });
  };
  const { run, isLoading, error, reset } = useAction(sendAction);
  const button: ButtonProps = {
    size,
    variant: action === 'cancel' ? 'danger' : variant,
    disabledReason: deniedReason(route),
    children: title,
  };
  if (!skipsConfirmation)
    return (
      <ConfirmButton
        button={button}
        title={host === undefined ? title : `${title}: ${host}`}
        confirmLabel={title}
        cancelLabel={action === 'cancel' ? 'Keep running' : 'Cancel'}
        isDestructive={isDestructive}
        onConfirm={sendAction}
      >
        {effects.map(text => (
          <p key={text}>{text}</p>
        ))}
      </ConfirmButton>
    );
  return (
    <>
      <Button {...button} isLoading={isLoading} title={effects.join(' ')} onClick={() => run()} />
      {error && (
        <Dialog title={title} onClose={reset}>
          <ErrorBox error={error} />
        </Dialog>
      )}
    </>
  );
}

const ORDER: readonly OperationAction[] = ['resume', 'pause', 'retry', 'skip', 'cancel'];

interface OperationActionsProps {
  readonly id: string;
  readonly can: readonly OperationAction[];
  /** `retry` and `skip` without a host apply to failed hosts. */
  readonly hasFailed: boolean;
  readonly pausedBy: PauseReason | null;
}

export const OperationActions = ({ id, can, hasFailed, pausedBy }: OperationActionsProps) =>
  ORDER.filter(action => can.includes(action) && (hasFailed || action !== 'skip')).map(action => (
    <ActionButton key={action} id={id} action={action} pausedBy={pausedBy} hasFailed={hasFailed} />
  ));
