import { MessageSquareText } from 'lucide-react'
import { EmptyState } from '../../components/ui/feedback/empty-state'

export default function NoThread() {
  return <EmptyState icon={MessageSquareText} title="Select a thread to view messages" />
}
