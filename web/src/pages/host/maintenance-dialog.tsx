import { api } from '../../api/client.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';

interface MaintenanceDialogProps {
  readonly address: string;
  readonly onClose: () => void;
}

export function MaintenanceDialog({ address, onClose }: MaintenanceDialogProps) {
  const begin = (typed: FormData) =>
    api.putHostMaintenance({ address, body: { on: true, reason: String(typed.get('reason')) } });
  return (
    <FormDialog
      title={`Start maintenance of ${address}`}
      verb="Start maintenance"
      ask={begin}
      onClose={onClose}
      fields={['reason']}
    >
      {errors => (
        <>
          <p>
            During maintenance, no operation changes the host, it raises no alerts, and it counts as
            unavailable in its cluster. Health checks continue.
          </p>
          <TextField
            label="Reason"
            name="reason"
            autoFocus
            hint="Optional. Shown to other users."
            error={errors['reason']}
          />
        </>
      )}
    </FormDialog>
  );
}
