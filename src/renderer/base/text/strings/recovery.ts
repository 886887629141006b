import type { Texts } from './texts';

export const recovery = {
  'recovery.title': ['Recovered text', '恢复的文本'],
  'recovery.text': [
    'Text that did not get into its note by itself. Each stays here until you discard it.',
    '未能自动写入笔记的文本。每一份都会保留在此，直到您将其丢弃。',
  ],
  'recovery.list': ['Recovered texts', '恢复的文本列表'],
  'recovery.none': ['Nothing had to be recovered', '没有需要恢复的内容'],
  'recovery.noneText': [
    'Text that could not be saved in its note, from damaged files, or from before a conflict is listed here.',
    '未能保存到笔记中的文本、来自损坏文件的文本以及冲突之前的文本会列在这里。',
  ],
  'recovery.others': [
    'Also for other vaults: {{vaults}}. Open one to see its texts.',
    '其他库中也有：{{vaults}}。打开相应的库即可查看。',
  ],
  'recovery.other': ['{{vault}} ({{count}})', '{{vault}}（{{count}}）'],
  'recovery.unknownNote': ['A note that is not known', '未知的笔记'],

  'recovery.short.deleted': ['Note deleted', '笔记已删除'],
  'recovery.short.trashed': ['Note trashed', '笔记已移到回收站'],
  'recovery.short.replaced': ['Note replaced', '笔记已被替换'],
  'recovery.short.window': ['From a window', '来自窗口'],
  'recovery.short.damaged': ['Damaged journal', '日志已损坏'],
  'recovery.short.conflict': ['Conflict', '冲突'],
  'recovery.short.waiting': ['Not saved yet', '尚未保存'],
  'recovery.short.unknown': ['Older', '较早'],
  'recovery.why.deleted': [
    'The note was deleted by another program before this text could be saved.',
    '此文本保存之前，笔记已被其他程序删除。',
  ],
  'recovery.why.trashed': [
    'The note was moved to the trash before this text could be saved.',
    '此文本保存之前，笔记已被移到回收站。',
  ],
  'recovery.why.replaced': [
    'Another note took this name before this text could be saved.',
    '此文本保存之前，另一篇笔记占用了此名称。',
  ],
  'recovery.why.window': [
    'A window still held this text when its note was gone or another vault was open.',
    '笔记已消失或打开了其他库时，某个窗口仍持有此文本。',
  ],
  'recovery.why.damaged': [
    'The file that protected this text from a crash was damaged. This is what could be read of it.',
    '用于防止此文本因崩溃而丢失的文件已损坏。以下是能够读取的内容。',
  ],
  'recovery.why.conflict': [
    'You and another program changed the same lines. These are both texts from before they were merged.',
    '您和其他程序更改了相同的行。这是合并之前的两份文本。',
  ],
  'recovery.why.waiting': [
    'This text could not be saved in its note yet. It is tried again when the vault is opened.',
    '此文本尚未能保存到笔记中。打开库时会再次尝试。',
  ],
  'recovery.why.unknown': ['An earlier version of the app kept this text.', '此文本由应用的早期版本保留。'],

  'recovery.now.there': ['The note is at {{path}}.', '笔记位于 {{path}}。'],
  'recovery.now.another': ['A different note is at {{path}} now.', '{{path}} 处现在是另一篇笔记。'],
  'recovery.now.gone': ['The note is not in this vault any more.', '此笔记已不在此库中。'],
  'recovery.now.unknown': ['Which note it belongs to is not known.', '不知道它属于哪篇笔记。'],
  'recovery.restored': ['Restored to {{path}} {{ago}}', '{{ago}}已恢复到 {{path}}'],
  'recovery.isRestored': ['Restored', '已恢复'],

  'recovery.part': ['Which text', '哪份文本'],
  'recovery.part.before': ['Before the damage', '损坏之前'],
  'recovery.part.ours': ['Yours', '您的'],
  'recovery.part.theirs': ['The other program’s', '其他程序的'],
  'recovery.part.after': ['After the damage', '损坏之后'],
  'recovery.afterText': [
    'Pieces that were typed after the damaged place, in order. Where they belong is not known.',
    '在损坏处之后输入的片段，按顺序排列。不知道它们应在的位置。',
  ],
  'recovery.view': ['What is shown', '显示内容'],
  'recovery.view.text': ['Text', '文本'],
  'recovery.view.compare': ['Compare with note', '与笔记对比'],
  'recovery.legend': [
    'Red lines are in the note now, green ones in the recovered text.',
    '红色的行在当前笔记中，绿色的行在恢复的文本中。',
  ],
  'recovery.empty': ['Nothing of it could be read', '无法读取其中的任何内容'],
  'recovery.emptyText': ['The damaged file is in {{path}}.', '损坏的文件位于 {{path}}。'],
  'recovery.cut': ['It is longer. The whole text is in {{path}}.', '文本更长。完整文本位于 {{path}}。'],
  'recovery.same': ['The note says the same', '笔记内容相同'],
  'recovery.sameText': ['Nothing differs, so this text can be discarded.', '没有差异，可以丢弃此文本。'],

  'recovery.restore': ['Restore in the note', '恢复到笔记'],
  'recovery.restoreAsNew': ['Restore as a new note', '恢复为新笔记'],
  'recovery.restoreHunk': ['Restore these lines', '恢复这几行'],
  'recovery.done': [
    'Restored. It can be undone, and the text stays here until you discard it.',
    '已恢复。可以撤销；此文本会保留在此，直到您将其丢弃。',
  ],
  'recovery.doneUnsaved': ['Restored, but the note could not be saved yet.', '已恢复，但笔记尚未能保存。'],
  'recovery.discard': ['Discard', '丢弃'],
  'recovery.discardTitle': ['Discard the recovered text of “{{note}}”?', '丢弃“{{note}}”的恢复文本？'],
  'recovery.discardText': [
    'It is removed from this machine for good. The note stays as it is.',
    '它将从本机永久删除。笔记保持不变。',
  ],
  'recovery.status': [
    { one: '{{count}} recovered text', other: '{{count}} recovered texts' },
    '{{count}} 份恢复的文本',
  ],

  'notice.textKept.conflict': ['“{{note}}” was changed in two places at once', '“{{note}}”在两处被同时更改'],
  'notice.textKept.conflictText': [
    'Both changes are in the note, and both whole texts from before are kept.',
    '两处更改都在笔记中，并且保留了更改之前的两份完整文本。',
  ],
  'notice.conflictsDropped': [
    {
      one: '{{count}} older text of conflicts was removed',
      other: '{{count}} older texts of conflicts were removed',
    },
    '已移除 {{count}} 份较早的冲突文本',
  ],
  'notice.conflictsDroppedText': [
    'The newest 100 are kept, up to 64 MB. Other recovered text is never removed by itself.',
    '保留最新的 100 份，最多 64 MB。其他恢复的文本不会自动移除。',
  ],
  'notice.journalSalvaged': [
    'What could be read of it is among the recovered text.',
    '能够读取的内容已列入恢复的文本。',
  ],
  'notice.showRecovered': ['Show recovered text', '查看恢复的文本'],
  'command.recovery': ['Recovered text', '恢复的文本'],
  'command.recoveryToo': ['lost, unsaved, crash, conflict, restore, kept', '丢失 未保存 崩溃 冲突 恢复'],
} as const satisfies Texts;
