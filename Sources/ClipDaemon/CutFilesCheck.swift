import ClipboardCore
import EventLoop
import SelectionCore

/// Remembers which files were cut, and finds out later whether they are still where they were.
///
/// Both on the worker: a file system may take its time.
final class CutFilesCheck {
  private let loop: any EventLoop
  private let worker: Worker
  /// What was there; nil until that is known.
  private var files: CutFiles?
  private var job: LoopToken?
  private var timer: LoopToken?

  /// Whoever pastes is not kept waiting longer: what is kept is to be offered within 100 ms.
  private static let patience = Duration.milliseconds(80)

  /// - Parameter answers: What was read of an owner; nil where it has cut nothing.
  init?(_ answers: [ReceivedRepresentation], loop: any EventLoop, worker: Worker) {
    guard CutFiles.isMeant(by: answers) else { return nil }
    self.loop = loop
    self.worker = worker
    job = worker.run({ CutFiles(answers)?.present }) { [weak self] in self?.files = try? $0.get() }
  }

  /// For files that were cut before this service was there: all of them have to be.
  init(_ files: CutFiles, loop: any EventLoop, worker: Worker) {
    self.loop = loop
    self.worker = worker
    self.files = files
  }

  /// Calls once, with false where a file that was there has gone since.
  ///
  /// What cannot be found out in time counts as being there: to paste such a list once more does no harm
  /// but a message.
  func ask(_ completion: @escaping (_ isGood: Bool) -> Void) {
    guard let files, !files.paths.isEmpty else { return completion(true) }
    job = worker.run({ !files.hasLost }) { [weak self] result in
      self?.timer = nil
      completion((try? result.get()) ?? true)
    }
    guard job != nil else { return completion(true) }
    timer = loop.schedule(after: Self.patience) { [weak self] in
      self?.job = nil
      completion(true)
    }
  }
}
