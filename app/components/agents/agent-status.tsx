import { type AgentStatus, agentStatuses, agentStatusLabels } from '../../../contract/values/enumerations'
import { StatusBadge, type Tone } from '../ui/feedback/status-badge'

function toneOf(status: AgentStatus): Tone {
  switch (status) {
    case agentStatuses.operational:
      return 'success'
    case agentStatuses.error:
    case agentStatuses.invalidProviderKey:
      return 'danger'
    case agentStatuses.disabled:
    case agentStatuses.archived:
      return 'neutral'
    default:
      return 'warning'
  }
}

export function AgentStatusBadge({ status }: { status: AgentStatus }) {
  return <StatusBadge tone={toneOf(status)}>{agentStatusLabels[status]}</StatusBadge>
}
